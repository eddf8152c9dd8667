import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { AgentServer, Thread, ThreadState } from "../../sdk";
import { isRecord, recordOf, textOf } from "../../shared/records";
import { CommandFailure } from "../failure";
import { firstRounded } from "./comparison";
import { changedMessages, isMessages } from "./messages";

const Values = z.record(z.string(), z.unknown());

/** What a node wrote in one step of a graph. */
const Write = z.object({
  /** Undefined where the server does not say it: the node that wrote last. */
  node: z.string().optional(),
  values: Values,
  /** The keys of `values` that have the value after the step, since the server does not show what was written. */
  whole: z.array(z.string()).optional(),
});

/** A thread with its history, as a line of an export has it. */
export const Conversation = z.object({
  version: z.literal(1),
  thread_id: z.string(),
  /** Why no copy is complete: its status, where it has unfinished tasks. */
  unfinished: z.string().optional(),
  metadata: Values,
  created_at: z.string(),
  updated_at: z.string(),
  /** The newest state; its id is null where the thread has none. */
  state: z.object({
    checkpoint_id: z.string().nullable(),
    next: z.array(z.string()),
    values: Values,
  }),
  /** The writes that lead to it, oldest first, those of one step together. */
  steps: z.array(z.array(Write)),
  /** The number of states on other branches of the history, which are left out. */
  other_states: z.number(),
});
export type Conversation = z.infer<typeof Conversation>;
export type Step = Conversation["steps"][number];

/** States per request at most, and about as many bytes of their values: each has all of them. */
const PAGE = 10;
const PAGE_BYTES = 8 * 1024 * 1024;

/** More states than any thread has: a server that returns more does not end. */
const MOST_STATES = 100_000;

/** Reads a thread with the history of its newest state. Only the differences of the states are kept in memory. */
export async function readConversation(
  { threads }: AgentServer,
  { thread_id, status, metadata, created_at, updated_at }: Thread,
): Promise<Conversation> {
  const steps: (Step | undefined)[] = [];
  const history = { others: 0 };
  let newest: ThreadState | undefined;
  let later: ThreadState | undefined;
  for await (const state of ancestors(threads, thread_id, history)) {
    newest ??= state;
    if (later) steps.push(stepBetween(state, later));
    later = state;
  }
  if (later) steps.push(stepBetween(undefined, later));
  const { checkpoint_id = null, next = [], values = {} } = newest ?? {};
  return {
    version: 1,
    thread_id,
    metadata,
    created_at,
    updated_at,
    ...(hasUnfinishedTasks(status, newest) && { unfinished: status }),
    state: { checkpoint_id, next: [...next], values },
    steps: steps.toReversed().filter((step) => step !== undefined),
    other_states: history.others,
  };
}

/** What a copy or an export may have changed unseen. */
export function roundedNote({ metadata, state, steps }: Conversation): string | undefined {
  const rounded = firstRounded(state.values) ?? firstRounded({ metadata, steps });
  return rounded && `${rounded} may be rounded: it is a number beyond 2^53`;
}

/**
 * Whether a thread has tasks that no superstep restores: a run is at work, or waits for a person. The Python server also
 * calls one interrupted whose next node has not begun.
 */
export function hasUnfinishedTasks(
  status: string,
  newest: Pick<ThreadState, "tasks"> | undefined,
): boolean {
  const tasks = (newest?.tasks ?? []).map(recordOf);
  const waits = tasks.some(
    ({ interrupts, result }) =>
      isRecord(result) || (Array.isArray(interrupts) && interrupts.length > 0),
  );
  return status === "busy" || (status === "interrupted" && waits);
}

/**
 * The newest state of a thread, then each parent. Branches that were left are passed over and counted. Throws
 * `CommandFailure` where the server returns states without an end, or the same ones again.
 */
async function* ancestors(
  threads: AgentServer["threads"],
  threadId: string,
  history: { others: number },
): AsyncGenerator<ThreadState, void, undefined> {
  let wanted: string | null | undefined;
  let count = 0;
  for (let limit = 1, before: string | undefined; ;) {
    const page = await threads.history(threadId, { limit, ...(before && { before }) });
    for (const state of page) {
      if (wanted === undefined || state.checkpoint_id === wanted) {
        yield state;
        wanted = state.parent_checkpoint_id;
      } else history.others += 1;
    }
    const last = page.at(-1);
    const next = last?.checkpoint_id ?? undefined;
    if (page.length < limit || last === undefined || next === undefined) return;
    count += page.length;
    if (next === before || count >= MOST_STATES)
      throw new CommandFailure(
        `the history of thread '${threadId}' has no end; this is an error of the server, ask its operator`,
      );
    before = next;
    limit = Math.max(1, Math.min(PAGE, Math.floor(PAGE_BYTES / JSON.stringify(last).length)));
  }
}

/** What leads from a state to the next one; undefined where that only repeats it, as the beginning of a branch does. */
function stepBetween(parent: ThreadState | undefined, state: ThreadState): Step | undefined {
  const source = state.metadata["source"];
  if (source === "input") return [{ node: "__input__", values: {} }];
  const before = parent?.values ?? {};
  const changed = Object.entries(state.values).filter(
    ([key, value]) => !isDeepStrictEqual(before[key], value),
  );
  if (source === "fork" && changed.length === 0) return undefined;
  const written = writtenIn(parent, state);
  const nodes = Object.keys(written);
  const lists = changed.filter(([, value]) => isMessages(value));
  const shown = new Set(Object.values(written).flatMap(Object.keys));
  const unexplained = changed.filter(([key, value]) => !isMessages(value) && !shown.has(key));
  const [first, ...others] = nodes.length > 0 ? nodes : (parent?.next ?? []);
  const valuesOf = (node: string) =>
    Object.entries(written[node] ?? {}).filter(([key]) => !isMessages(state.values[key]));
  return [
    {
      ...(first !== undefined && { node: first }),
      values: {
        ...Object.fromEntries([...valuesOf(first ?? ""), ...unexplained]),
        ...Object.fromEntries(
          lists.map(([key, value]) => [key, changedMessages(before[key], value)]),
        ),
      },
      ...(unexplained.length > 0 && { whole: unexplained.map(([key]) => key) }),
    },
    ...others.map((node) => ({ node, values: Object.fromEntries(valuesOf(node)) })),
  ];
}

/** What each node wrote, as far as the server shows it: the built-in one in the state, the others in the tasks of its parent. */
function writtenIn(
  parent: ThreadState | undefined,
  state: ThreadState,
): Record<string, Record<string, unknown>> {
  const writes = Object.entries(recordOf(state.metadata["writes"]));
  const results = (parent?.tasks ?? []).map((task) => {
    const { name, result } = recordOf(task);
    return [textOf(name), result] as const;
  });
  const shown = (writes.length > 0 ? writes : results).flatMap(([node, values]) =>
    node !== undefined && isRecord(values) ? [[node, values] as const] : [],
  );
  return Object.fromEntries(shown);
}
