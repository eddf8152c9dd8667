import { type AgentServer, Conflict, NotFound, StatusError, type Thread } from "../../sdk";
import { textOf } from "../../shared/records";
import { firstDifference } from "./comparison";
import { type Conversation, roundedNote } from "./conversation";
import { type Forms, MOST_FORM, superstepsOf } from "./supersteps";

/** The members of a copy's metadata: that it is one, of which thread, and once it is compared the states of both. */
const COPY = "pulumi_copy";
const COPY_OF = "pulumi_copy_of";
const COPIED = "pulumi_copied_state";
const COPIED_AS = "pulumi_copied_as";

/** What became of a thread; a note says what its copy lacks. */
export interface Placed {
  readonly outcome: "copied" | "renewed" | "present";
  readonly note?: string | undefined;
}

/** A thread that is to be copied. Its newest state and all of it are read once they are needed. */
export interface Original {
  readonly threadId: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly stateId: () => Promise<string | null>;
  readonly read: () => Promise<Conversation>;
}

/** The copies on an agent server, and how its graphs take values. */
export interface Target {
  readonly threads: AgentServer["threads"];
  /** By the id of the original. */
  readonly copies: ReadonlyMap<string, Pick<Thread, "thread_id" | "metadata">>;
  /** By the graph. */
  readonly forms: Map<string, Forms>;
}

/** The target with the copies of earlier runs. */
export async function targetAt({ threads }: AgentServer): Promise<Target> {
  const copies = new Map<string, Pick<Thread, "thread_id" | "metadata">>();
  const select = ["thread_id", "metadata"] as const;
  for await (const { thread_id, metadata = {} } of threads.searchAll({
    metadata: { [COPY]: 1 },
    select: [...select],
  })) {
    const original = textOf(metadata[COPY_OF]);
    if (thread_id !== undefined && original !== undefined)
      copies.set(original, { thread_id, metadata });
  }
  return { threads, copies, forms: new Map() };
}

/** The target has the original itself: it is the same agent server under another URL, or that of an export. */
class OriginalThere extends Error {}

/**
 * Copies a thread to a target, under its own id unless another thread has it. A copy that an earlier run has compared
 * stays; one that it has not is compared, and made again where it differs. A dry run changes nothing. Throws where the copy
 * is not equal, and removes it.
 */
export async function place(target: Target, original: Original, isDry = false): Promise<Placed> {
  const { threads, copies } = target;
  const copy = copies.get(original.threadId);
  const copiedAs = copy?.metadata[COPIED_AS];
  if (copy && copiedAs !== undefined) {
    if (copy.metadata[COPIED] === (await original.stateId())) return { outcome: "present" };
    if ((await threads.state(copy.thread_id)).checkpoint_id !== copiedAs)
      throw new Error(
        `it and its copy ${copy.thread_id} have both changed since; delete one of them`,
      );
  }
  if (!copy && (await isFrom(target, original))) return { outcome: "present" };
  const outcome = copiedAs === undefined ? "copied" : "renewed";
  if (isDry) return { outcome };
  const conversation = await original.read();
  if (copy && copiedAs !== undefined) await remove(target, copy.thread_id);
  const leftover = copiedAs === undefined ? copy?.thread_id : undefined;
  try {
    const next = await make(target, conversation, leftover);
    const { other_states: others } = conversation;
    const branches = others > 0 ? `${others} states of other branches are left out` : undefined;
    return {
      outcome,
      note: [next, branches, roundedNote(conversation)].filter(Boolean).join("; "),
    };
  } catch (error) {
    if (error instanceof OriginalThere) return { outcome: "present" };
    throw error;
  }
}

/** Whether a thread came from the target itself, and neither it nor the one there has changed since. */
async function isFrom({ threads }: Target, { metadata, stateId }: Original): Promise<boolean> {
  const source = textOf(metadata[COPY_OF]);
  if (source === undefined || metadata[COPIED_AS] !== (await stateId())) return false;
  const there = await threads.state(source).catch((error: unknown) => {
    if (!(error instanceof NotFound)) throw error;
  });
  return there?.checkpoint_id === metadata[COPIED];
}

/**
 * Makes a copy until it is equal, in another form each time; `leftover` is one that an earlier run has not compared.
 * Resolves to what its graph makes different, or nothing.
 */
async function make(
  target: Target,
  conversation: Conversation,
  leftover: string | undefined,
): Promise<string | undefined> {
  const { metadata, state } = conversation;
  const graph = textOf(metadata["graph_id"]) ?? "";
  const forms = new Map(target.forms.get(graph));
  for (let old = leftover; ; old = undefined) {
    const id = old ?? (await post(target, conversation, forms));
    try {
      const { values, next, checkpoint_id } = await target.threads.state(id);
      // A key that the original does not have is a default of the target's graph.
      const differs = (key: string) => firstDifference(state.values[key], values[key], key);
      const key = Object.keys(state.values).find((name) => differs(name) !== undefined);
      if (key === undefined) {
        const marks = { [COPIED]: state.checkpoint_id, [COPIED_AS]: checkpoint_id };
        await target.threads.update(id, { metadata: marks });
        target.forms.set(graph, forms);
        return nextNote(state.next, next);
      }
      const form = (forms.get(key) ?? 0) + (old === undefined ? 1 : 0);
      if (form > MOST_FORM) throw new Error(`the copy differs in ${differs(key)}, and was removed`);
      forms.set(key, form);
    } catch (error) {
      await remove(target, id).catch(() => undefined);
      throw error;
    }
    await remove(target, id);
  }
}

function nextNote(wanted: readonly string[], found: readonly string[]): string | undefined {
  if (firstDifference(wanted, found) === undefined) return undefined;
  return `the copy ${goesOn(found)}, the original ${goesOn(wanted)}`;
}

function goesOn(nodes: readonly string[]): string {
  return nodes.length === 0 ? "has ended" : `goes on with ${nodes.join(", ")}`;
}

/** The id of the new thread. What a server has made before it refused the rest is removed. */
async function post(
  { threads }: Target,
  conversation: Conversation,
  forms: Forms,
): Promise<string> {
  const { thread_id, metadata, created_at } = conversation;
  const supersteps = superstepsOf(conversation, forms);
  const body = {
    metadata: { ...withoutMarks(metadata), [COPY]: 1, [COPY_OF]: thread_id },
    ...(supersteps.length > 0 && { supersteps }),
  };
  try {
    return (await threads.create({ ...body, thread_id })).thread_id;
  } catch (error) {
    const existing = await threads.get(thread_id).catch(() => undefined);
    const isOwn = existing?.metadata[COPY_OF] === thread_id;
    if (existing && !isOwn && existing.created_at === created_at) throw new OriginalThere();
    if (error instanceof Conflict && existing && !isOwn)
      return (await threads.create(body)).thread_id;
    // Without a response the server may be at work on it: the next run compares what it has made.
    if (isOwn && error instanceof StatusError && !(error instanceof Conflict))
      await threads.delete(thread_id).catch(() => undefined);
    throw error;
  }
}

async function remove({ threads }: Target, id: string): Promise<void> {
  await threads.delete(id).catch((error: unknown) => {
    if (!(error instanceof NotFound)) throw error;
  });
}

/** The metadata of a thread without what a server or an earlier copy put into it. */
function withoutMarks(metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const {
    thread_id: _own,
    [COPY]: _copy,
    [COPY_OF]: _of,
    [COPIED]: _state,
    [COPIED_AS]: _as,
    ...others
  } = metadata;
  return others;
}
