import {
  AgentServer,
  type CallOptions,
  Conflict,
  ConnectionError,
  NotFound,
  ServerError,
} from "../../sdk";
import { type PollResult, WaitEnded, waitFor } from "../../sdk/wait";
import { agentKey } from "../../settings/agent-key";
import { requestTimeoutIn } from "../../settings/settings";
import type { Context } from "../resource/context";
import { findSettled } from "../resource/find";
import { progressOf } from "../resource/progress";
import { known, type Unknown } from "../arguments/decode";
import type { Props } from "../arguments/props";

/** The declared state, or the recorded one, of a resource that lives on an agent server. */
export interface OnAgentServer {
  readonly deploymentUrl: string | Unknown | undefined;
  readonly apiKey: string | Unknown | undefined;
  readonly deploymentId: string | Unknown | undefined;
  readonly props: Props;
}

/** The agent server that a resource's arguments name. No request to it outlasts the operation. */
export function serverOf(
  declared: OnAgentServer,
  { clock, deadline = Infinity, settings }: Context,
  apiKey = known(declared.apiKey),
): AgentServer {
  const leftSeconds = Math.max(Math.ceil((deadline - clock.now()) / 1000), 1);
  const requestTimeoutSeconds = Math.min(requestTimeoutIn(settings), leftSeconds);
  return new AgentServer({ url: addressOf(declared), apiKey, clock, requestTimeoutSeconds });
}

/**
 * The agent server of an import; throws where its URL cannot be used, which no check has read. A key of the environment is
 * not put into the state, whose secrets an import prints.
 */
export function importServerOf(
  task: string,
  declared: OnAgentServer,
  context: Context,
): AgentServer {
  const apiKey = known(declared.apiKey) ?? agentKey();
  try {
    return serverOf(declared, context, apiKey);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Error(`${task}: the URL of its agent server ${error.message}`, { cause: error });
  }
}

export function addressOf({ deploymentUrl }: Pick<OnAgentServer, "deploymentUrl">): string {
  return known(deploymentUrl) ?? "";
}

/** A server with users of its own shows each of them only what that user has created, and has each id once. */
export const explainHidden =
  (otherwise: string) =>
  (error: unknown): never => {
    if (!(error instanceof Conflict)) throw error;
    const hidden = `another user of the agent server has it, since this apiKey does not show it; set the apiKey of that user, or ${otherwise}`;
    throw new Error(`${error.message}; ${hidden}`, { cause: error });
  };

/** Throws where a new apiKey does not show what the former one does: a refresh would take that for gone. */
export async function refuseOtherUser(
  subject: string,
  [olds, news]: readonly [OnAgentServer, OnAgentServer],
  context: Context,
  find: (server: AgentServer) => Promise<object | undefined>,
): Promise<void> {
  const isShownTo = (declared: OnAgentServer) =>
    find(serverOf(declared, context)).then(
      (found) => found !== undefined,
      () => undefined,
    );
  if (known(olds.apiKey) === known(news.apiKey) || (await isShownTo(news)) !== false) return;
  if (await isShownTo(olds))
    throw new Error(
      `update ${subject}: the agent server shows it to the former apiKey and not to this one, which is another user's; set the apiKey of the user who created it`,
    );
}

const RESPONSE_LIMIT_MS = 60_000;

/**
 * Reads what a create may find; undefined after a 404. A server that was just deployed has a
 * minute until it responds.
 */
export async function findOnceReady<Found>(
  declared: OnAgentServer,
  { clock, signal, deadline = Infinity, log }: Context,
  get: (signal: AbortSignal) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const timeoutMs = Math.max(Math.min(RESPONSE_LIMIT_MS, deadline - clock.now()), 0);
  const start = clock.now();
  const poll = async (
    pollTime: AbortSignal,
  ): Promise<PollResult<{ state: "done"; found?: Found | undefined }>> => {
    try {
      return { state: "done", found: await get(pollTime) };
    } catch (error) {
      if (error instanceof NotFound) return { state: "done" };
      throw error;
    }
  };
  try {
    const progress = progressOf({ clock, log });
    const onPending = (stage: string): void => progress.stage(stage);
    const { found } = await waitFor({ poll, onPending, timeoutMs, signal, clock });
    return found;
  } catch (error) {
    if (!(error instanceof WaitEnded)) throw error;
    const ended = error.isCancelled ? "cancelled" : "timed out";
    const endedMs = error.isCancelled ? clock.now() - start : timeoutMs;
    throw new Error(
      `${ended} after ${Math.round(endedMs / 1000)} s: ` +
        `the agent server at ${addressOf(declared)} does not respond: ${error.silence ?? "no response yet"}; ` +
        "check that its deployment is ready, then run `pulumi up` again",
      { cause: error },
    );
  }
}

/**
 * Runs a create. A gateway answers 404 in the place of a server that was just deployed, as long as it has no way to it: the
 * create runs once more then, look-up and all, when the server responds.
 */
export async function createOnceReady<Result>(
  server: AgentServer,
  declared: OnAgentServer,
  context: Context,
  create: () => Promise<Result>,
): Promise<Result> {
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    await awaitServer(server, declared, context);
    return create();
  }
}

/** Waits until the server itself responds, and no gateway in its place. */
export function awaitServer(
  server: AgentServer,
  declared: OnAgentServer,
  context: Context,
): Promise<undefined> {
  return findOnceReady(declared, context, (signal) => reach(server, { signal }));
}

/**
 * The thing of a state on an agent server; undefined where two looks say that it is gone. A gateway that has lost its server
 * says 404 too, so that the server itself must respond before the second.
 */
export function findOnServer<Found>(
  server: AgentServer,
  { clock }: Pick<Context, "clock">,
  get: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  return findSettled(clock, get, () => reach(server));
}

/** Whether a server responds. A gateway without it says 404 to everything: that is a `ServerError`. */
export async function reach({ threads }: AgentServer, options?: CallOptions): Promise<undefined> {
  // Every agent server has it (thread contract, "Endpoints"), and each other answer than a 404 is one.
  await threads.search({ limit: 1, select: ["thread_id"] }, options).catch((error: unknown) => {
    options?.signal?.throwIfAborted();
    if (isSilence(error)) throw error;
    if (!(error instanceof NotFound)) return;
    const { action, method, url, status, detail } = error;
    const reason = `${error.reason} at ${url}, which a gateway answers in the place of the agent server`;
    throw new ServerError({ action, method, url, status, detail, reason, secrets: [] });
  });
  return undefined;
}

/**
 * Waits for a DELETE; false after a 404. What was found before it is looked for again then: a gateway that has lost its server
 * answers 404 to a DELETE as well.
 */
export function deleteFound(
  request: Promise<void>,
  found: object | undefined,
  find: () => Promise<object | undefined>,
): Promise<boolean> {
  return request.then(
    () => true,
    async (error: unknown) => {
      if (!(error instanceof NotFound) || (found && (await find()))) throw error;
      return false;
    },
  );
}

/** No response of an agent server: the connection fails, or a gateway in front of it does. */
export function isSilence(error: unknown): error is ConnectionError | ServerError {
  return error instanceof ConnectionError || error instanceof ServerError;
}
