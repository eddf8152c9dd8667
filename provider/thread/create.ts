import { createHash } from "node:crypto";
import { type AgentServer, Conflict, isPassing, NotFound, type Thread } from "../../sdk";
import { type Verdict, waitFor, WaitTimeout } from "../../sdk/wait";
import { postOnce } from "../post";
import { type Context, InitializationFailure } from "../process";
import { type Props, sameValue, textOf } from "../props";
import { toCreateRequest, toMetadata, toOutputs } from "./mapping";
import { addressOf, serverOf } from "./server";

/** Puts the conversation in place: a new thread with its supersteps, or a copy. */
export async function createThread(
  inputs: Props,
  context: Context,
): Promise<{ id: string; outs: Props }> {
  const server = serverOf(inputs, context.clock);
  const source = textOf(inputs["copyFrom"]);
  const thread =
    source === undefined
      ? await make(server, inputs, context)
      : await copy(server, source, inputs, context);
  return { id: thread.thread_id, outs: await described(server, inputs, thread) };
}

/** From here on a failure keeps the thread's id. */
async function described(server: AgentServer, inputs: Props, thread: Thread): Promise<Props> {
  const { thread_id: id } = thread;
  try {
    const metadata = toMetadata(inputs);
    const isCopy = textOf(inputs["copyFrom"]) !== undefined;
    const seen =
      isCopy && Object.keys(metadata).length > 0
        ? await server.threads.update(id, { metadata })
        : thread;
    return toOutputs(inputs, seen, await server.threads.state(id));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const unseen = { values: {}, checkpoint_id: null };
    throw new InitializationFailure(id, toOutputs(inputs, thread, unseen), [
      `thread ${id} is made, but not as it is declared: ${reason}\n      run \`pulumi up\` again: it makes no second one`,
    ]);
  }
}

/** How often an id that a thread has which is not ours is given up for the next one. */
const MOST_IDS = 10;

async function make(server: AgentServer, inputs: Props, context: Context): Promise<Thread> {
  const body = await toCreateRequest(inputs);
  for (let attempt = 0; ; attempt += 1) {
    const threadId = ownId(inputs, context, attempt);
    const existing = await find(server, threadId, inputs, context);
    if (existing !== undefined && isOwn(server, existing, inputs)) {
      context.log.warn(
        `takes over thread ${threadId}, which an unfinished create of this resource made`,
      );
      return existing;
    }
    if (existing !== undefined && attempt + 1 < MOST_IDS) continue;
    try {
      const look = () => find(server, threadId, inputs, context);
      const post = () => server.threads.create({ ...body, thread_id: threadId });
      return await postOnce(context.clock, post, look);
    } catch (error) {
      if (!(error instanceof Conflict) || attempt + 1 === MOST_IDS) throw error;
    }
  }
}

const OWN_CREATE_MS = 3_600_000;

/** A thread of the id that only this resource asks for, of its metadata and young: the try before made it. */
function isOwn(server: AgentServer, { created_at, metadata }: Thread, inputs: Props): boolean {
  const age = server.serverNow().getTime() - Date.parse(created_at);
  const declared = Object.entries(toMetadata(inputs));
  return (
    inputs["__createFirst"] !== true &&
    age < OWN_CREATE_MS &&
    declared.every(([key, value]) => sameValue(metadata[key], value))
  );
}

/**
 * The id that a thread of this resource gets: the same for the same inputs, so that a create whose answer was lost finds
 * its thread again. In the form of a UUID of version 8 (RFC 9562 §5.8).
 */
function ownId(inputs: Props, { urn = "" }: Context, attempt: number): string {
  const { metadata: _, apiKey: _key, __urn: _urn, __provider: _text, ...rest } = inputs;
  const canonical = JSON.stringify([1, attempt, urn, sorted(rest)]);
  const hex = createHash("sha256").update(canonical).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function sorted(props: Props): [string, unknown][] {
  return Object.entries(props).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

async function copy(
  server: AgentServer,
  source: string,
  inputs: Props,
  context: Context,
): Promise<Thread> {
  if ((await find(server, source, inputs, context)) === undefined)
    throw new Error(
      `copy thread '${source}': there is no such thread at ${addressOf(inputs)}; copyFrom names a thread of the same agent server`,
    );
  return server.threads.copy(source);
}

const ANSWER_LIMIT_MS = 60_000;

/** Reads a thread; a server that has just been put in place is given a minute until it answers. */
async function find(
  server: AgentServer,
  threadId: string,
  inputs: Props,
  { clock, log }: Context,
): Promise<Thread | undefined> {
  const seen = { problem: "" };
  const look = async (signal: AbortSignal): Promise<Verdict<Thread | undefined>> => {
    try {
      return { done: await server.threads.get(threadId, { signal }) };
    } catch (error) {
      if (error instanceof NotFound) return { done: undefined };
      if (!isPassing(error)) throw error;
      seen.problem = error instanceof Error ? error.message : String(error);
      return { pending: "waiting for the agent server" };
    }
  };
  const onPending = (stage: string): void => log.progress(stage);
  try {
    return await waitFor({ look, onPending, timeoutMs: ANSWER_LIMIT_MS, clock });
  } catch (error) {
    if (!(error instanceof WaitTimeout)) throw error;
    throw new Error(
      `the agent server at ${addressOf(inputs)} does not answer, for ${ANSWER_LIMIT_MS / 1000} s: ${seen.problem}; ` +
        "look whether its deployment is ready, then run `pulumi up` again",
      { cause: error },
    );
  }
}
