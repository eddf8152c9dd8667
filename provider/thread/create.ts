import { Conflict, type CreateThread, StatusError, type Thread } from "../../sdk";
import { messageOf } from "../../shared/errors";
import type { Context } from "../host/context";
import { InitializationFailure } from "../host/initialization-failure";
import { postOnce } from "../host/post-once";
import { known } from "../inputs/decode";
import { refuse } from "../inputs/problems";
import type { Props } from "../inputs/props";
import { type Declared, threadArguments } from "./diff";
import { toCreateRequest, toMetadata, toOutputs } from "./mapping";
import { discard, isHeld, isOwn, isSame, isWhole, ownId } from "./own";
import { addressOf, type Creation, deploymentOf, findThread, serverOf } from "./server";

/** Creates the conversation: a new thread with its supersteps, or a copy. */
export async function createThread(
  news: Declared,
  context: Context,
): Promise<{ id: string; outs: Props }> {
  refuse("create thread", threadArguments.problems(news.props));
  const creation = { server: serverOf(news, context.clock), news, context };
  const source = known(news.copyFrom);
  const thread =
    source === undefined ? await createOrAdopt(creation) : await copy(creation, source);
  return { id: thread.thread_id, outs: await outputsOf(creation, thread) };
}

/** From here on a failure keeps the thread's id. */
async function outputsOf({ server, news, context }: Creation, thread: Thread): Promise<Props> {
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

async function createOrAdopt(creation: Creation): Promise<Thread> {
  const { server, news, context } = creation;
  const body = toCreateRequest(news);
  // The native provider cannot tell a forced replacement, which deletes the thread that is there, from another attempt.
  const found = context.door === "native" ? undefined : await adoptUnfinished(creation, body);
  if (found !== undefined) return found;
  for (let attempt = 0; ; attempt += 1) {
    const threadId = ownId(context, attempt);
    const isLast = attempt + 1 >= MOST_IDS;
    const isFree = !isHeld(context, threadId) && !(await findThread(creation, threadId));
    if (!isFree && !isLast) continue;
    try {
      return await post(creation, { ...body, thread_id: threadId });
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
  creation: Creation,
  body: CreateThread,
): Promise<Thread | undefined> {
  const { server, news, context } = creation;
  let found: Thread | undefined;
  // The second id is that of a replacement.
  for (const id of [0, 1].map((attempt) => ownId(context, attempt))) {
    if (isHeld(context, id)) continue;
    const thread = await findThread(creation, id);
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
function post(creation: Creation, body: CreateThread & { thread_id: string }): Promise<Thread> {
  const { server, context } = creation;
  const look = async () => {
    const found = await findThread(creation, body.thread_id);
    return found && (await isWhole(server, body.thread_id, body)) ? found : undefined;
  };
  return postOnce(context.clock, () => server.threads.create(body), look);
}

async function copy(creation: Creation, source: string): Promise<Thread> {
  if ((await findThread(creation, source)) === undefined)
    throw new Error(
      `copy thread '${source}': it does not exist at ${addressOf(creation.news)}; copyFrom must name a thread on the same agent server`,
    );
  return creation.server.threads.copy(source);
}
