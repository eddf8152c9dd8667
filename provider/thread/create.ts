import { type CreateThread, NotFound, ServerError, StatusError, type Thread } from "../../sdk";
import { messageOf } from "../../shared/errors";
import { deploymentOf } from "../agent-server/deployment";
import { ownId } from "../agent-server/own-id";
import { findUnconfirmedOn } from "../agent-server/recorded";
import {
  addressOf,
  awaitServer,
  createOnceReady,
  explainHidden,
  findOnServer,
  serverOf,
} from "../agent-server/server";
import type { Context } from "../resource/context";
import type { Unconfirmed } from "../resource/define-lifecycle";
import { InitializationFailure, inLines } from "../resource/errors";
import { findTwice, readSettled } from "../resource/find";
import { type Post, type Posted, postOnce, sinceNow } from "../resource/post-once";
import { quoted } from "../../shared/shell";
import { known } from "../arguments/decode";
import { refuse } from "../arguments/problems";
import type { Props } from "../arguments/props";
import { type Declared, threadArguments } from "./diff";
import { MARK, toCreateRequest, toMetadata, toOutputs } from "./mapping";
import {
  type Creation,
  discard,
  findCopy,
  findThread,
  isHeld,
  isOfCreate,
  isOwn,
  isSame,
  isWhole,
  keep,
  ownershipIn,
  stateAsDeclared,
} from "./own";

/** Creates the conversation: a new thread with its supersteps, or a copy. */
export async function createThread(
  news: Declared,
  context: Context,
): Promise<{ id: string; outs: Props }> {
  refuse("create thread", threadArguments.problems(news.props));
  const server = serverOf(news, context);
  const creation = { server, news, context: { ...context, readState: once(context.readState) } };
  const source = known(news.copyFrom);
  const thread =
    source === undefined
      ? await createOnceReady(server, news, context, () => createOrAdopt(creation)).catch(
          explainHidden("delete it as that user"),
        )
      : await copy(creation, source);
  return { id: thread.thread_id, outs: await outputsOf(creation, thread) };
}

/** Reads the state once, however many threads are found. */
function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => (value ??= read());
}

/** From here on a failure keeps the thread's id. */
async function outputsOf({ server, news, context }: Creation, thread: Thread): Promise<Props> {
  const { thread_id: id } = thread;
  const deployment = deploymentOf(news, context);
  try {
    const metadata = toMetadata(news);
    const isCopy = known(news.copyFrom) !== undefined;
    const observed = isCopy ? await server.threads.update(id, { metadata }) : thread;
    const state = await readSettled(context.clock, () =>
      stateAsDeclared(server, id, toCreateRequest(news)),
    );
    return { ...deployment, ...toOutputs(news.props, observed, state) };
  } catch (error) {
    const outs = { ...deployment, ...toOutputs(news.props, thread) };
    const lines = [
      `thread ${id} was created, but not as declared: ${messageOf(error)}`,
      "run `pulumi up` again; it creates no second thread",
    ];
    throw new InitializationFailure(id, outs, [inLines(lines)]);
  }
}

/** Number of own ids that are tried where other threads have them. */
const MOST_IDS = 10;

async function createOrAdopt(creation: Creation): Promise<Thread> {
  const { server, news, context } = creation;
  const body = toCreateRequest(news);
  const places = await placesOf(creation);
  // A create takes the first id that is free, so what an interrupted one has created has the last id that is not.
  const last = places.findLast(({ thread }) => thread !== undefined);
  for (const { thread } of places)
    if (thread !== undefined && thread !== last?.thread) await keep(creation, thread);
  if (last?.thread !== undefined && (await isOwn(creation, last.thread))) {
    const { thread, threadId } = last;
    if (isSame(thread, body) && (await isWhole(server, threadId, body))) return thread;
    context.log.warn(`deletes thread ${threadId}, which has only a part or other values`);
    await discard(server, threadId);
    places.unshift({ threadId, thread: undefined });
  }
  for (const { threadId, thread } of places) {
    if (thread !== undefined) continue;
    const posted = await post(creation, { ...body, thread_id: threadId });
    if ("created" in posted) return posted.created;
    const ownership = await keep(creation, posted.existing);
    // This create outlived its run, and the next one has created the thread.
    if (ownership.status === "recorded" && ownership.by === context.urn)
      throw new Error(`create thread: another run of this stack has created ${threadId} meanwhile`);
  }
  throw new Error(
    `create thread: the agent server at ${addressOf(news)} has threads of others under all ${MOST_IDS} ids that this resource can have`,
  );
}

/** An id that this resource can take, and the thread that has it. */
interface Place {
  readonly threadId: string;
  readonly thread: Thread | undefined;
}

/** The places in their order. After two that are free no thread of this resource is expected. */
async function placesOf(creation: Creation): Promise<Place[]> {
  const places: Place[] = [];
  for (let attempt = 0; attempt < MOST_IDS; attempt += 1) {
    const threadId = ownId(creation.context, attempt);
    if (isHeld(creation.context, threadId)) continue;
    const isEnd = places.length > 1 && places.slice(-2).every(({ thread }) => thread === undefined);
    const thread = isEnd ? undefined : await findThread(creation, threadId);
    places.push({ threadId, thread });
  }
  return places;
}

/** Sends the create. A server that refuses it may have created the thread all the same: that is deleted, unless others have. */
async function post(
  creation: Creation,
  body: CreateThread & { thread_id: string },
): Promise<Posted<Thread>> {
  const { server, news, context } = creation;
  const threadId = body.thread_id;
  const request: Post<Thread> = {
    key: threadId,
    post: () => server.threads.create(body),
    find: () => findThread(creation, threadId),
    reach: () => awaitServer(server, news, context),
    isEqual: (found) => isSame(found, body),
    isComplete: () => isWhole(server, threadId, body),
    createdAt: ({ created_at }) => created_at,
  };
  const isSince = sinceNow(context.clock, server, request);
  try {
    return await postOnce(context.clock, server, request);
  } catch (error) {
    const left = error instanceof StatusError ? await findThread(creation, threadId) : undefined;
    if (left !== undefined && isSince(left) && isSame(left, body)) await discard(server, threadId);
    // The server's own, which another attempt would get too.
    if (left !== undefined && error instanceof NotFound)
      throw new Error(error.message, { cause: error });
    if (!(error instanceof ServerError && body.supersteps && error.status !== 501)) throw error;
    const reason = (await unknownNodes(creation, body)) ?? SUPERSTEPS_FAIL;
    throw new Error(`${error.message}; ${reason}`, { cause: error });
  }
}

/** The asNodes that the graph of a thread does not have, as far as the server describes it: the JavaScript server only logs them. */
async function unknownNodes(
  { server: { assistants }, news }: Creation,
  { supersteps = [] }: CreateThread,
): Promise<string | undefined> {
  const graph = known(news.graphId) ?? "";
  const nodes = await assistants.nodes(graph).catch(() => undefined);
  const given = supersteps.flatMap(({ updates }) => updates.map(({ as_node }) => as_node));
  const unknown = given.filter((node) => nodes && ![...nodes, ...PSEUDO_NODES].includes(node));
  return unknown.length > 0
    ? `graph '${graph}' does not have asNode ${[...new Set(unknown)].join(", ")}; its nodes are ${nodes?.join(", ")}`
    : undefined;
}

/** No graph shows them, and each accepts them. */
const PSEUDO_NODES = ["__input__", "__copy__", "__start__", "__end__"];

const SUPERSTEPS_FAIL =
  "if it fails so again, supersteps are the reason: an asNode that the graph does not have, or a type of message that it does not know; the agent server's log names it";

/** Another program marks its copy within the first. A large copy takes minutes, and a response is lost long before. */
const COPY_PAUSES_MS = [1_000, 3_000, 10_000, 30_000, 60_000, 60_000, 60_000];

/** What the key of a copy begins with; the time of its POST follows. */
function keyOfCopy(source: string): string {
  return `copy of thread ${source} since `;
}

/** Finds the thread with the id of a POST without a response, or the copy of its time. */
export function findUnconfirmed(
  key: string,
  inputs: Declared,
  context: Context,
): Promise<Unconfirmed | undefined> {
  const source = known(inputs.copyFrom);
  return findUnconfirmedOn(inputs, context, async (server) => {
    const creation = { server, news: inputs, context };
    const get = (id: string) => findOnServer(server, context, () => server.threads.get(id));
    const thread = await get(source ?? key);
    if (source === undefined)
      return thread && { id: key, isEqual: await isOfCreate(server, thread, inputs, inputs) };
    if (thread === undefined)
      throw new Error(
        `its source ${source}, by which the copy is known, is gone; delete the copy on the agent server, then run \`pulumi state delete ${quoted(context.urn ?? "<urn>")}\``,
      );
    const since = key.slice(keyOfCopy(source).length);
    const made = await findTwice(context.clock, () => findCopy(creation, thread, since));
    return made && { id: made.thread_id, isEqual: true };
  });
}

/** The request has no member for an id or a mark, so it is never repeated. Without a response the copy is found by its time, which the placeholder id keeps. */
async function copy(creation: Creation, source: string): Promise<Thread> {
  const { server, news, context } = creation;
  const original = await findThread(creation, source);
  if (original === undefined)
    throw new Error(
      `copy thread '${source}': it does not exist at ${addressOf(news)}; copyFrom must name a thread on the same agent server`,
    );
  const key = keyOfCopy(source);
  const former = context.processCache.retryRecords.get(context.urn ?? "")?.id.split(key)[1];
  const left = former && (await findCopy(creation, original, former));
  if (left) return left;
  const { [MARK]: mark } = toMetadata(news);
  for await (const made of server.threads.searchAll({ metadata: { [MARK]: mark } }))
    await ownershipIn(creation, made);
  const since = (server.serverTime() ?? new Date(context.clock.now())).toISOString();
  const none = new Error("the agent server does not show it yet");
  const posted = await postOnce<Thread>(context.clock, server, {
    key: key + since,
    post: () => server.threads.copy(source),
    find: async () => (await findCopy(creation, original, since)) ?? Promise.reject(none),
    isEqual: () => true,
    createdAt: ({ created_at }) => created_at,
    pausesMs: COPY_PAUSES_MS,
  });
  return "created" in posted ? posted.created : posted.existing;
}
