import { z } from "zod";
import { StateUpdate, type StateWritten, type ThreadState } from "../../sdk/schema/thread";

/** A stored state of a thread; `metadata` is what clients see (contract, "Thread state"). */
export const Checkpoint = z.object({
  checkpoint_id: z.string(),
  parent_checkpoint_id: z.string().nullable(),
  created_at: z.string(),
  metadata: z.looseObject({ step: z.int() }),
  next: z.array(z.string()),
  values: StateUpdate,
});
export type Checkpoint = z.infer<typeof Checkpoint>;

/** The state of a thread at a checkpoint, as clients see it. `tasks` is empty: this server has no runs. */
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
 * The state of a thread without states, and of a thread at a checkpoint that it does not have: both real servers return
 * this for any unknown id.
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

/** The response to a state update; like the Python server's it contains the new checkpoint three times. */
export function stateWritten(threadId: string, checkpointId: string): StateWritten {
  const checkpoint = { thread_id: threadId, checkpoint_ns: "", checkpoint_id: checkpointId };
  return { checkpoint, configurable: checkpoint, checkpoint_id: checkpointId };
}

function reference(threadId: string, checkpointId: string | null) {
  if (checkpointId === null) return null;
  return { thread_id: threadId, checkpoint_ns: "", checkpoint_id: checkpointId };
}
