import {
  type AgentServer,
  type CreateThread,
  NotFound,
  type Thread,
  type ThreadState,
} from "../../sdk";
import type { Context } from "../resource/context";
import { inLines } from "../resource/errors";
import { adoptionOf, type Ownership, ownershipOf, waysOutOfRecorded } from "../resource/ownership";
import { known, Unknown } from "../arguments/decode";
import { present, sameValue } from "../arguments/props";
import { type Declared, threadArguments } from "./diff";
import { MARK, toMetadata } from "./mapping";
import { addressOf, findOnceReady } from "../agent-server/server";
import { momentIn } from "../../shared/moment";
import { isSameResource } from "../../shared/urn";

/** The create of a thread, and where it happens. */
export interface Creation {
  readonly server: AgentServer;
  readonly news: Declared;
  readonly context: Context;
}

/** Reads a thread. A server that was just deployed has a minute until it responds. */
export function findThread(
  { server, news, context }: Creation,
  threadId: string,
): Promise<Thread | undefined> {
  return findOnceReady(news, context, (signal) => server.threads.get(threadId, { signal }));
}

/**
 * Remembers the id that a resource has in the state. The engine may delete that thread after the create of its
 * replacement, which must have another id.
 */
export function hold({ processCache, urn = "" }: Context, id: string): void {
  processCache.held.add(`${urn} ${id}`);
}

export function isHeld({ processCache, urn = "" }: Context, id: string): boolean {
  return processCache.held.has(`${urn} ${id}`);
}

/**
 * Whether an interrupted create of this resource has created a thread, by the state of the stack, and nothing else has
 * written to it. A warning reports that it is adopted or kept.
 */
export async function isOwn(creation: Creation, thread: Thread): Promise<boolean> {
  const { server, news, context } = creation;
  const ownership = await ownershipIn(creation, thread);
  const creates = ownership.status === "interrupted" ? ownership.inputs : [];
  for (const create of creates.map(threadArguments.decode))
    if (await isOfCreate(server, thread, create, news)) {
      context.log.warn(adoptionOf(`thread ${thread.thread_id}`, ownership));
      return true;
    }
  warnOfKept(creation, thread, ownership);
  return false;
}

/** Whether a create of these inputs has created a thread, and nothing else has written to it. */
export async function isOfCreate(
  server: AgentServer,
  thread: Thread,
  create: Declared,
  news: Declared,
): Promise<boolean> {
  return isFrom(thread, create, news) && (await hasNothingElse(server, thread, create, news));
}

/** Keeps a thread of others that has an id of this resource, with a warning. Resolves to what the state records of it. */
export async function keep(creation: Creation, thread: Thread): Promise<Ownership> {
  const ownership = await ownershipIn(creation, thread);
  warnOfKept(creation, thread, ownership);
  return ownership;
}

/** What the state has of a thread. Throws where it is this resource's through the other front end. */
export async function ownershipIn(
  { news, context }: Creation,
  { thread_id: id }: Thread,
): Promise<Ownership> {
  const { urn = "" } = context;
  const ownership = await ownershipOf(context, id, news.props);
  const { by = urn } = ownership.status === "recorded" ? ownership : {};
  if (by === urn || !isSameResource(by, urn)) return ownership;
  const found = `create thread: thread ${id} exists at ${addressOf(news)}, and the state has it as ${by}`;
  throw new Error(inLines([found, ...waysOutOfRecorded(by, urn, news.props)]));
}

/** A thread that this create replaces needs no warning. */
function warnOfKept({ news, context }: Creation, thread: Thread, ownership: Ownership): void {
  if (ownership.status === "recorded" && ownership.by === context.urn) return;
  context.log.warn(
    `keeps thread ${thread.thread_id} at ${addressOf(news)}, which has an id of this resource ${reasonIn(ownership)}; another id is taken`,
  );
}

function reasonIn(ownership: Ownership): string {
  switch (ownership.status) {
    case "recorded":
      return `and is in the state as ${ownership.by}`;
    case "interrupted":
      return "and is not what its interrupted create has written";
    case "unrecorded":
      return "and is not known to the state of this stack";
    case "unreadable":
      return `and may be of an interrupted create, since the state of this stack could not be read (${ownership.reason})`;
  }
}

/** Whether a thread was created from the inputs of a create, as far as these are known. */
function isFrom({ metadata }: Thread, create: Declared, news: Declared): boolean {
  const { [MARK]: mark, ...others } = toMetadata(create);
  const isHere = (known(create.deploymentUrl) ?? addressOf(news)) === addressOf(news);
  const hasMark = create.supersteps === Unknown ? MARK in metadata : metadata[MARK] === mark;
  return isHere && hasMark && isSame({ metadata }, { metadata: others });
}

/** Whether a thread holds no states but those that a create writes, all or some of them. A run leaves states of its loop. */
async function hasNothingElse(
  { threads }: AgentServer,
  { thread_id: id, status }: Thread,
  create: Declared,
  news: Declared,
): Promise<boolean> {
  const most = (known(create.supersteps) ?? known(news.supersteps) ?? []).length;
  if (status !== "idle" || most >= MOST_STATES) return false;
  try {
    const states = await threads.history(id, { limit: most + 1 });
    return states.length <= most && states.every(({ metadata }) => metadata?.["source"] !== "loop");
  } catch (error) {
    // The real servers have no history of a thread whose graph they do not have.
    if (error instanceof NotFound) return false;
    throw error;
  }
}

/** Whether a thread has all the metadata of a create, its mark too: it was created from the same. */
export function isSame(
  { metadata }: Pick<Thread, "metadata">,
  body: Pick<CreateThread, "metadata">,
): boolean {
  return Object.entries(body.metadata ?? {}).every(([key, value]) =>
    sameValue(metadata[key], value),
  );
}

/** A request that has not reached a server after this time never does. */
const UNDER_WAY_MS = 60_000;

/**
 * The copy of a thread that was created just after a time, by the server's clock. Its metadata is as its source's, so that no other
 * program has marked it, and its end is a state of its source. Throws where there are several: others may be another client's.
 */
export async function findCopy(
  { server: { threads } }: Creation,
  { thread_id: sourceId, metadata }: Thread,
  since: string,
): Promise<Thread | undefined> {
  const copies: Thread[] = [];
  for await (const thread of threads.searchAll()) {
    const { thread_id: id, created_at } = thread;
    const afterMs = momentIn(created_at) - momentIn(since);
    if (afterMs < 0) break;
    // The JavaScript server puts a copy's own id into its metadata.
    const expected = present({ ...metadata, thread_id: thread.metadata["thread_id"] });
    const isLate = afterMs > UNDER_WAY_MS;
    if (isLate || id === sourceId || !sameValue(present(thread.metadata), expected)) continue;
    const { checkpoint_id: end } = await threads.state(id);
    if (end !== null && (await threads.state(sourceId, end)).created_at) copies.push(thread);
  }
  const [copy, ...others] = copies;
  if (others.length === 0) return copy;
  const ids = copies.map(({ thread_id }) => thread_id).join(", ");
  throw new Error(`one of threads ${ids} may be another client's copy: delete those of no use`);
}

const MOST_STATES = 1000;

/** Whether a thread has a state for each superstep: the real servers keep what a create did before it failed. */
export async function isWhole(
  { threads }: AgentServer,
  threadId: string,
  { supersteps = [] }: CreateThread,
): Promise<boolean> {
  const limit = Math.min(supersteps.length, MOST_STATES);
  if (limit === 0) return true;
  try {
    return (await threads.history(threadId, { limit })).length === limit;
  } catch (error) {
    // The real servers have no history of a thread whose graph they do not have.
    if (error instanceof NotFound) return false;
    throw error;
  }
}

/** The newest state of a new thread. Throws where none has a message or a member of supersteps: a server may drop it silently. */
export async function stateAsDeclared(
  { threads }: AgentServer,
  threadId: string,
  { supersteps = [] }: CreateThread,
): Promise<ThreadState> {
  const updates = supersteps.flatMap((superstep) => superstep.updates);
  const limit = Math.min(supersteps.length, MOST_STATES);
  const [newest = await threads.state(threadId), ...others] =
    limit === 0 ? [] : await threads.history(threadId, { limit });
  const kept = JSON.stringify([newest, ...others].map(({ values }) => values));
  // What `__input__` writes last is the input of the next run.
  if (updates.at(-1)?.as_node === "__input__") updates.pop();
  const dropped = updates.filter(({ values }) => {
    const texts = values.messages?.map(({ content }) => content) ?? [];
    const isDropped = (text: unknown): boolean =>
      typeof text === "string" && !kept.includes(JSON.stringify(text));
    return [...Object.keys(values), ...texts].some(isDropped);
  });
  if (dropped.length === 0) return newest;
  const nodes = dropped.map(({ as_node }) => as_node).join(", ");
  throw new Error(
    `the agent server dropped what ${nodes} wrote in the thread's supersteps; let a node write it that keeps it, the first message __start__: that replaces the thread, which else stays without it`,
  );
}

/** Deletes the rest of a failed create. Where that fails, its id stays taken and another one is used. */
export async function discard({ threads }: AgentServer, threadId: string): Promise<void> {
  await threads.delete(threadId).catch(() => undefined);
}
