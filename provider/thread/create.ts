import {
  type AgentServer,
  Conflict,
  type CreateThread,
  NotFound,
  StatusError,
  type Thread,
} from "../../sdk";
import { type PollResult, waitFor, WaitTimeout } from "../../sdk/wait";
import { messageOf } from "../../shared/errors";
import type { Context } from "../host/context";
import { InitializationFailure } from "../host/initialization-failure";
import { postOnce } from "../host/post-once";
import { progressOf } from "../host/progress";
import { known } from "../inputs/decode";
import { refuse } from "../inputs/problems";
import type { Props } from "../inputs/props";
import { type Declared, threadArguments } from "./diff";
import { toCreateRequest, toMetadata, toOutputs } from "./mapping";
import { discard, isHeld, isOwn, isSame, isWhole, ownId } from "./own";
import { addressOf, deploymentOf, serverOf } from "./server";

/** Creates the conversation: a new thread with its supersteps, or a copy. */
export async function createThread(
  news: Declared,
  context: Context,
): Promise<{ id: string; outs: Props }> {
  refuse("create thread", threadArguments.problems(news.props));
  const server = serverOf(news, context.clock);
  const source = known(news.copyFrom);
  const thread =
    source === undefined
      ? await createOrAdopt(server, news, context)
      : await copy(server, source, news, context);
  return { id: thread.thread_id, outs: await outputsOf(server, news, thread, context) };
}

/** From here on a failure keeps the thread's id. */
async function outputsOf(
  server: AgentServer,
  news: Declared,
  thread: Thread,
  context: Context,
): Promise<Props> {
  const { thread_id: id } = thread;
  const deployment = deploymentOf(news, context);
  try {
    const metadata = toMetadata(news);
    const isCopy = known(news.copyFrom) !== undefined;
    const observed = isCopy ? await server.threads.update(id, { metadata }) : thread;
    const state = await server.threads.state(id);
    return { ...deployment, ...toOutputs(news.props, observed, state) };
  } catch (error) {
    const outs = { ...deployment, ...toOutputs(news.props, thread) };
    throw new InitializationFailure(id, outs, [
      `thread ${id} was created, but not as declared: ${messageOf(error)}\n      run \`pulumi up\` again; it creates no second thread`,
    ]);
  }
}

/** How many own ids are tried where another thread has one. */
const MOST_IDS = 10;

async function createOrAdopt(
  server: AgentServer,
  news: Declared,
  context: Context,
): Promise<Thread> {
  const body = toCreateRequest(news);
  const found = await adoptUnfinished(server, body, news, context);
  if (found !== undefined) return found;
  for (let attempt = 0; ; attempt += 1) {
    const threadId = ownId(context, attempt);
    const isLast = attempt + 1 >= MOST_IDS;
    const isFree = !isHeld(context, threadId) && !(await find(server, threadId, news, context));
    if (!isFree && !isLast) continue;
    try {
      return await post(server, { ...body, thread_id: threadId }, news, context);
    } catch (error) {
      const isTaken = error instanceof Conflict;
      if (isTaken && !isLast) continue;
      if (error instanceof StatusError && !isTaken && isFree) await discard(server, threadId);
      throw error;
    }
  }
}

/** A thread of an unfinished create of this resource is adopted where it is whole and from the same, else deleted. */
async function adoptUnfinished(
  server: AgentServer,
  body: CreateThread,
  news: Declared,
  context: Context,
): Promise<Thread | undefined> {
  let found: Thread | undefined;
  // The second id is that of a replacement.
  for (const id of [0, 1].map((attempt) => ownId(context, attempt))) {
    if (isHeld(context, id)) continue;
    const thread = await find(server, id, news, context);
    if (thread === undefined || !isOwn(server, thread, news)) continue;
    const fits = found === undefined && isSame(thread, body) && (await isWhole(server, id, body));
    const unfinished = `thread ${id}, which an unfinished create of this resource left`;
    context.log.warn(
      fits ? `adopts ${unfinished}` : `deletes ${unfinished} in part or with other values`,
    );
    if (fits) found = thread;
    else await discard(server, id);
  }
  return found;
}

/** Sends the create. Where its response was lost, the thread that it created counts only if it is whole. */
function post(
  server: AgentServer,
  body: CreateThread & { thread_id: string },
  news: Declared,
  context: Context,
): Promise<Thread> {
  const look = async () => {
    const found = await find(server, body.thread_id, news, context);
    return found && (await isWhole(server, body.thread_id, body)) ? found : undefined;
  };
  return postOnce(context.clock, () => server.threads.create(body), look);
}

async function copy(
  server: AgentServer,
  source: string,
  news: Declared,
  context: Context,
): Promise<Thread> {
  if ((await find(server, source, news, context)) === undefined)
    throw new Error(
      `copy thread '${source}': it does not exist at ${addressOf(news)}; copyFrom must name a thread on the same agent server`,
    );
  return server.threads.copy(source);
}

const RESPONSE_LIMIT_MS = 60_000;

/** Reads a thread. A server that was just deployed has a minute until it responds. */
async function find(
  server: AgentServer,
  threadId: string,
  news: Declared,
  context: Context,
): Promise<Thread | undefined> {
  const last = { problem: "" };
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
    last.problem = messageOf(error);
    return "waiting for the agent server";
  };
  try {
    const { thread } = await waitFor({
      poll,
      tolerate: unanswered,
      onPending: progressOf(context).stage,
      timeoutMs: RESPONSE_LIMIT_MS,
      clock: context.clock,
    });
    return thread;
  } catch (error) {
    if (!(error instanceof WaitTimeout)) throw error;
    throw new Error(
      `timed out after ${RESPONSE_LIMIT_MS / 1000} s: the agent server at ${addressOf(news)} does not respond: ${last.problem}; ` +
        "check that its deployment is ready, then run `pulumi up` again",
      { cause: error },
    );
  }
}
