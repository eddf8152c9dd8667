import {
  type AgentServer,
  Conflict,
  type CreateThread,
  NotFound,
  StatusError,
  type Thread,
} from "../../sdk";
import { type PollResult, waitFor, WaitTimeout } from "../../sdk/wait";
import { postOnce } from "../host/post-once";
import type { Context } from "../host/context";
import { InitializationFailure } from "../host/initialization-failure";
import { progressOf } from "../host/progress";
import { textOf } from "../../shared/records";
import type { Props } from "../inputs/props";
import { toCreateRequest, toMetadata, toOutputs } from "./mapping";
import { isHeld } from "./held";
import { discard, isOwn, isSame, isWhole, ownId } from "./own";
import { addressOf, deploymentOf, serverOf } from "./server";
import { messageOf } from "../../shared/errors";

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
  return { id: thread.thread_id, outs: await described(server, inputs, thread, context) };
}

/** From here on a failure keeps the thread's id. */
async function described(
  server: AgentServer,
  inputs: Props,
  thread: Thread,
  context: Context,
): Promise<Props> {
  const { thread_id: id } = thread;
  const deployment = deploymentOf(inputs, context);
  try {
    const metadata = toMetadata(inputs);
    const isCopy = textOf(inputs["copyFrom"]) !== undefined;
    const seen = isCopy ? await server.threads.update(id, { metadata }) : thread;
    return { ...deployment, ...toOutputs(inputs, seen, await server.threads.state(id)) };
  } catch (error) {
    const reason = messageOf(error);
    throw new InitializationFailure(id, { ...deployment, ...toOutputs(inputs, thread) }, [
      `thread ${id} is made, but not as it is declared: ${reason}\n      run \`pulumi up\` again: it makes no second one`,
    ]);
  }
}

/** How often an id that a thread has which is not ours is given up for the next one. */
const MOST_IDS = 10;

async function make(server: AgentServer, inputs: Props, context: Context): Promise<Thread> {
  const body = await toCreateRequest(inputs);
  const found = await takeUnfinished(server, body, inputs, context);
  if (found !== undefined) return found;
  for (let attempt = 0; ; attempt += 1) {
    const threadId = ownId(context, attempt);
    const isLast = attempt + 1 >= MOST_IDS;
    const isFree = !isHeld(context, threadId) && !(await find(server, threadId, inputs, context));
    if (!isFree && !isLast) continue;
    try {
      return await post(server, { ...body, thread_id: threadId }, inputs, context);
    } catch (error) {
      const isTaken = error instanceof Conflict;
      if (isTaken && !isLast) continue;
      if (error instanceof StatusError && !isTaken && isFree) await discard(server, threadId);
      throw error;
    }
  }
}

/** What an unfinished create of this resource made is taken over where it is whole and of the same, and deleted where not. */
async function takeUnfinished(
  server: AgentServer,
  body: CreateThread,
  inputs: Props,
  context: Context,
): Promise<Thread | undefined> {
  let found: Thread | undefined;
  // The second id is that of a replacement.
  for (const id of [0, 1].map((attempt) => ownId(context, attempt))) {
    if (isHeld(context, id)) continue;
    const thread = await find(server, id, inputs, context);
    if (thread === undefined || !isOwn(server, thread, inputs)) continue;
    const fits = found === undefined && isSame(thread, body) && (await isWhole(server, id, body));
    const remains = `thread ${id}, which an unfinished create of this resource made`;
    context.log.warn(
      fits ? `takes over ${remains}` : `deletes ${remains} in part or of other values`,
    );
    if (fits) found = thread;
    else await discard(server, id);
  }
  return found;
}

/** Sends the create; where its answer was lost, the whole thread that it made is taken, and no part of one. */
function post(
  server: AgentServer,
  body: CreateThread & { thread_id: string },
  inputs: Props,
  context: Context,
): Promise<Thread> {
  const look = async () => {
    const found = await find(server, body.thread_id, inputs, context);
    return found && (await isWhole(server, body.thread_id, body)) ? found : undefined;
  };
  return postOnce(context.clock, () => server.threads.create(body), look);
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
  context: Context,
): Promise<Thread | undefined> {
  const seen = { problem: "" };
  const poll = async (
    signal: AbortSignal,
  ): Promise<PollResult<{ state: "done"; thread?: Thread }>> => {
    try {
      return { state: "done", thread: await server.threads.get(threadId, { signal }) };
    } catch (error) {
      if (error instanceof NotFound) return { state: "done" };
      throw error;
    }
  };
  const unanswered = (error: unknown): string => {
    seen.problem = messageOf(error);
    return "waiting for the agent server";
  };
  try {
    const { thread } = await waitFor({
      poll,
      tolerate: unanswered,
      onPending: progressOf(context).stage,
      timeoutMs: ANSWER_LIMIT_MS,
      clock: context.clock,
    });
    return thread;
  } catch (error) {
    if (!(error instanceof WaitTimeout)) throw error;
    throw new Error(
      `the agent server at ${addressOf(inputs)} does not answer, for ${ANSWER_LIMIT_MS / 1000} s: ${seen.problem}; ` +
        "look whether its deployment is ready, then run `pulumi up` again",
      { cause: error },
    );
  }
}
