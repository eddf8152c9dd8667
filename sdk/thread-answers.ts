import type * as wire from "./schema";

type FreeForm = Record<string, unknown>;

/** A thread, the same from every agent server. */
export interface Thread {
  readonly thread_id: string;
  /** ISO 8601. */
  readonly created_at: string;
  /** ISO 8601. */
  readonly updated_at: string;
  /** `idle`, `busy`, `interrupted` or `error`. */
  readonly status: string;
  readonly metadata: FreeForm;
  readonly config?: FreeForm;
  /** The state, where the server tells it: in the answer to a create all do, elsewhere only some. */
  readonly values?: wire.StateValues;
}

/** A thread of a search that selects members: those, and no others. */
export type SelectedThread = { readonly [Member in keyof Thread]?: Thread[Member] | undefined };

/** A thread's state, the same from every agent server; that of an empty thread has nulls and nothing in it. */
export interface ThreadState {
  readonly values: wire.StateValues;
  /** The nodes that come next; none when the graph is through. */
  readonly next: readonly string[];
  readonly tasks: readonly unknown[];
  readonly metadata: FreeForm;
  /** ISO 8601. */
  readonly created_at: string | null;
  readonly checkpoint: wire.Checkpoint | null;
  readonly parent_checkpoint: wire.Checkpoint | null;
  readonly checkpoint_id: string | null;
  readonly parent_checkpoint_id: string | null;
}

/** Servers leave out members that they have nothing for, or answer null. */
export function threadOf({ metadata, config, values, ...thread }: wire.Thread): Thread {
  return {
    ...thread,
    metadata: metadata ?? {},
    ...(config && { config }),
    ...(values && { values }),
  };
}

/** As the contract has it, the answer to a create holds the state, also where there is none yet. */
export function createdThreadOf(answer: wire.Thread): Thread {
  return { values: {}, ...threadOf(answer) };
}

/** What is selected and left out is empty. */
export function selectedThreadOf(
  { metadata, config, values, ...thread }: wire.SelectedThread,
  select: readonly string[],
): SelectedThread {
  return {
    ...thread,
    ...(select.includes("metadata") && { metadata: metadata ?? {} }),
    ...(select.includes("config") && { config: config ?? {} }),
    ...(select.includes("values") && { values: values ?? {} }),
  };
}

/** Servers name a state at the top, in its checkpoint, or at both places. */
export function stateOf(answer: wire.ThreadState): ThreadState {
  const checkpoint = checkpointOf(answer.checkpoint);
  const parent = checkpointOf(answer.parent_checkpoint);
  return {
    values: answer.values ?? {},
    next: answer.next ?? [],
    tasks: answer.tasks ?? [],
    metadata: answer.metadata ?? {},
    created_at: answer.created_at ?? null,
    checkpoint,
    parent_checkpoint: parent,
    checkpoint_id: answer.checkpoint_id ?? checkpoint?.checkpoint_id ?? null,
    parent_checkpoint_id: answer.parent_checkpoint_id ?? parent?.checkpoint_id ?? null,
  };
}

/** The namespace is that of subgraphs; the graph itself has the empty one, which is left out at times. */
function checkpointOf(checkpoint: wire.Checkpoint | null | undefined): wire.Checkpoint | null {
  return checkpoint ? { ...checkpoint, checkpoint_ns: checkpoint.checkpoint_ns ?? "" } : null;
}
