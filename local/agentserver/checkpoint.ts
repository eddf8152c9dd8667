import { z } from "zod";
import { StateUpdate, type StateWritten, type ThreadState } from "../../sdk/schema/thread";

/** One state of a thread as it is kept; `metadata` is what clients see (contract, "Thread state"). */
export const Checkpoint = z.object({
  checkpoint_id: z.string(),
  parent_checkpoint_id: z.string().nullable(),
  created_at: z.string(),
  metadata: z.looseObject({ step: z.int() }),
  next: z.array(z.string()),
  values: StateUpdate,
});
export type Checkpoint = z.infer<typeof Checkpoint>;

/** The state of a thread at a checkpoint, as clients see it. `tasks` is empty: nothing runs here. */
export function stateAt(threadId: string, checkpoint: Checkpoint): ThreadState {
  const { checkpoint_id, parent_checkpoint_id, created_at, metadata, next, values } = checkpoint;
  return {
    values,
    next,
    tasks: [],
    metadata,
    created_at,
    checkpoint: reference(threadId, checkpoint_id),
    parent_checkpoint: reference(threadId, parent_checkpoint_id),
    checkpoint_id,
    parent_checkpoint_id,
  };
}

/**
 * The state of a thread that has none: an empty thread, or the checkpoint asked for is not one of its own. Both real
 * servers answer the latter like this, whatever the id.
 */
export function emptyState(threadId: string, checkpointId: string | null): ThreadState {
  return {
    values: {},
    next: [],
    tasks: [],
    metadata: {},
    created_at: null,
    checkpoint: reference(threadId, checkpointId),
    parent_checkpoint: null,
    checkpoint_id: checkpointId,
    parent_checkpoint_id: null,
  };
}

/** The answer to a state's write; like the Python server it names the state that it made three times. */
export function written(threadId: string, checkpointId: string): StateWritten {
  const checkpoint = { thread_id: threadId, checkpoint_ns: "", checkpoint_id: checkpointId };
  return { checkpoint, configurable: checkpoint, checkpoint_id: checkpointId };
}

function reference(threadId: string, checkpointId: string | null) {
  if (checkpointId === null) return null;
  return { thread_id: threadId, checkpoint_ns: "", checkpoint_id: checkpointId };
}
