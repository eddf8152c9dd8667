import { z } from "zod";
import type { SearchAssistants, Secret } from "../../sdk/schema";
import { CronResponse, type SearchCrons } from "../../sdk/schema/cron";
import { Assistant, AssistantVersion } from "../../sdk/schema/assistant";
import { assistantOf, assistantVersionOf } from "../../sdk/schema/assistant-responses";
import {
  Count,
  type CountThreads,
  SelectedThread,
  Thread,
  ThreadState,
  type SearchThreads,
} from "../../sdk/schema/thread";
import { textWithin } from "../../shared/body";
import { isRecord } from "../../shared/records";
import { messageOf } from "../../shared/errors";
import { requestHere } from "../../shared/request-here";
import { shorten } from "../../shared/shorten";
import { API_KEY_VARIABLE } from "../agentserver/authentication";

/** The agent server did not give what was asked for; the message is for people. */
export class AgentError extends Error {
  override readonly name = "AgentError";
  /** Of its response; undefined where there was none that can be read. */
  readonly status: number | undefined;

  constructor(message: string, { status, cause }: { status?: number; cause?: unknown } = {}) {
    super(message, { cause });
    this.status = status;
  }
}

/** Servers that run graphs say in it why a run was interrupted, by the ids of the tasks. */
const ReadThread = Thread.extend({ interrupts: z.record(z.string(), z.unknown()).nullish() });
export type ReadThread = z.infer<typeof ReadThread>;

const Info = z.object({ flags: z.record(z.string(), z.unknown()).optional() });

const LIMIT_MS = 15_000;
/** As much as the SDK reads: the state of a thread may hold documents. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** Reads threads, assistants and crons of one agent server. */
export class AgentReader {
  readonly #origin: string;
  readonly #headers: Readonly<Record<string, string>>;

  /** `origin`: for example `http://127.0.0.1:40001`. The built-in server asks for the key that `variables` have. */
  constructor(origin: string, variables: readonly Secret[]) {
    const key = variables.find(({ name }) => name === API_KEY_VARIABLE)?.value;
    this.#origin = origin;
    this.#headers = { "Content-Type": "application/json", ...(key && { "X-Api-Key": key }) };
  }

  search(query: Partial<SearchThreads>): Promise<SelectedThread[]> {
    return this.#send(SelectedThread.array(), "/threads/search", query);
  }

  count(query: CountThreads): Promise<number> {
    return this.#send(Count, "/threads/count", query);
  }

  get(threadId: string): Promise<ReadThread> {
    return this.#send(ReadThread, `/threads/${encodeURIComponent(threadId)}`);
  }

  /** The newest state, or one of the history. */
  state(threadId: string, checkpointId?: string): Promise<ThreadState> {
    const checkpoint = checkpointId === undefined ? "" : `/${encodeURIComponent(checkpointId)}`;
    const path = `/threads/${encodeURIComponent(threadId)}/state${checkpoint}`;
    return this.#send(ThreadState, path);
  }

  /** The states, newest first. */
  history(threadId: string, limit: number): Promise<ThreadState[]> {
    const path = `/threads/${encodeURIComponent(threadId)}/history`;
    return this.#send(ThreadState.array(), path, { limit });
  }

  /** Whether it runs graphs. The built-in server says that it does not; the real ones say nothing of it. */
  async hasRuns(): Promise<boolean> {
    const { flags = {} } = await this.#send(Info, "/info");
    return flags["runs"] !== false;
  }

  assistants(query: Partial<SearchAssistants>) {
    return this.#send(Assistant.transform(assistantOf).array(), "/assistants/search", query);
  }

  crons(query: Partial<SearchCrons>) {
    return this.#send(CronResponse.array(), "/runs/crons/search", query);
  }

  /** The version in use, which need not be the newest; undefined where the server hides the assistant. */
  async versionInUse(assistantId: string): Promise<number | undefined> {
    const path = `/assistants/${encodeURIComponent(assistantId)}`;
    try {
      return (await this.#send(Assistant.transform(assistantOf), path)).version;
    } catch (error) {
      if (error instanceof AgentError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** The newest versions of an assistant, also of one that its server hides. */
  versions(assistantId: string, limit: number) {
    const path = `/assistants/${encodeURIComponent(assistantId)}/versions`;
    return this.#send(AssistantVersion.transform(assistantVersionOf).array(), path, { limit });
  }

  async #send<Body>(schema: z.ZodType<Body>, path: string, body?: unknown): Promise<Body> {
    const request = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const signal = AbortSignal.timeout(LIMIT_MS);
    try {
      const response = await requestHere(this.#origin + path, {
        ...request,
        headers: this.#headers,
        signal,
      });
      const text = await textWithin(MAX_BODY_BYTES, response);
      if (text === undefined) throw new AgentError(`the response exceeds ${MAX_BODY_BYTES} bytes`);
      const { statusCode: status = 0 } = response;
      if (status < 200 || status > 299)
        throw new AgentError(`${status}: ${reasonOf(text)}`, { status });
      const parsed = schema.safeParse(JSON.parse(text));
      if (!parsed.success) throw new AgentError(z.prettifyError(parsed.error));
      return parsed.data;
    } catch (error) {
      if (error instanceof AgentError) throw error;
      throw new AgentError(messageOf(error), { cause: error });
    }
  }
}

function reasonOf(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    return shorten(isRecord(body) && typeof body["detail"] === "string" ? body["detail"] : text);
  } catch {
    return shorten(text);
  }
}
