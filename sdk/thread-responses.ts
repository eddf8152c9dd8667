import type { Optional } from "./call";
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
  /** The state, if the response contains it: that of a create always does, others only on some servers. */
  readonly values?: wire.StateValues;
}

/** A thread of a search with `select`: the selected members only. */
export type SelectedThread = Optional<Thread>;

/** A thread's state, the same from every agent server; that of an empty thread has nulls and empty members. */
export interface ThreadState {
  readonly values: wire.StateValues;
  /** The nodes that run next; empty when the graph has finished. */
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

/** Servers omit empty members, or send null. */
export function threadOf({ metadata, config, values, ...thread }: wire.Thread): Thread {
  return {
    ...thread,
    metadata: metadata ?? {},
    ...(config && { config }),
    ...(values && { values }),
  };
}

/** The response to a create contains the state, even an empty one (thread contract). */
export function createdThreadOf(thread: wire.Thread): Thread {
  return { values: {}, ...threadOf(thread) };
}

/** A selected member that the server omits is empty. */
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

/** Servers put the id of a state at the top, in its checkpoint, or in both places. */
export function stateOf(state: wire.ThreadState): ThreadState {
  const checkpoint = checkpointOf(state.checkpoint);
  const parent = checkpointOf(state.parent_checkpoint);
  return {
    values: state.values ?? {},
    next: state.next ?? [],
    tasks: state.tasks ?? [],
    metadata: state.metadata ?? {},
    created_at: state.created_at ?? null,
    checkpoint,
    parent_checkpoint: parent,
    checkpoint_id: state.checkpoint_id ?? checkpoint?.checkpoint_id ?? null,
    parent_checkpoint_id: state.parent_checkpoint_id ?? parent?.checkpoint_id ?? null,
  };
}

/** The namespace is that of a subgraph; that of the graph itself is empty, and some servers omit it. */
function checkpointOf(checkpoint: wire.Checkpoint | null | undefined): wire.Checkpoint | null {
  return checkpoint ? { ...checkpoint, checkpoint_ns: checkpoint.checkpoint_ns ?? "" } : null;
}
