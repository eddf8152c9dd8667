import type { Checkpoint, ThreadState } from "../../../sdk";
import { LookupError } from "../list";
import type { GetThreadArgs } from "./thread";
import type { AgentServerFunction } from "../invoke";

/** Arguments of `getThreadState`. */
export interface GetThreadStateArgs extends GetThreadArgs {
  /**
   * The checkpoint of a state in the thread's history.
   * @default the newest
   */
  readonly checkpointId?: string | undefined;
}

/** Arguments of `getThreadHistory`. */
export interface GetThreadHistoryArgs extends GetThreadArgs {
  /**
   * The most states to return, the newest ones: 1 to 1000.
   * @default 1000
   */
  readonly limit?: number | undefined;
  /**
   * The checkpoint of a state: only the states before it are listed.
   * @default none: the newest state is the first
   */
  readonly before?: string | undefined;
}

/** The name of a state in three parts (thread contract, "Thread state"). */
export interface GetThreadStateCheckpoint {
  /** The id of the state. It is what `checkpointId` and `before` take. */
  readonly checkpointId: string;
  /** The thread of the state, a UUID. */
  readonly threadId: string;
  /** The namespace of a subgraph; empty for the graph itself. */
  readonly checkpointNs: string;
}

/** A state of a thread. Names in metadata and values are unchanged. */
export interface GetThreadStateResult {
  /** The values of the graph's state, for example `messages`. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The nodes that run next; none when the graph has ended. */
  readonly next: readonly string[];
  /** The tasks of those nodes. */
  readonly tasks: readonly unknown[];
  /** It has `source`, `step` and `writes` among its members (thread contract, "Thread state"). */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The checkpoint of the state; null for an empty thread, which has no state. */
  readonly checkpoint: GetThreadStateCheckpoint | null;
  /** The checkpoint of the state before it; null for the first one. */
  readonly parentCheckpoint: GetThreadStateCheckpoint | null;
  /** The id in `checkpoint`. */
  readonly checkpointId: string | null;
  /** The id in `parentCheckpoint`. */
  readonly parentCheckpointId: string | null;
  /** ISO 8601; null for an empty thread. */
  readonly createdAt: string | null;
}

export const getThreadState: AgentServerFunction<GetThreadStateArgs, GetThreadStateResult> = {
  name: "getThreadState",
  service: "agent server",
  list: undefined,
  schema: ({ deploymentUrl, uuid, id }) => ({
    deploymentUrl,
    threadId: uuid,
    checkpointId: id.optional(),
  }),
  subject: ({ threadId }) => threadId,
  async find({ threadId, checkpointId }, { client }) {
    const state = toResult(threadId, await client.threads.state(threadId, checkpointId));
    // For a checkpoint that it does not have, an agent server returns an empty state.
    if (checkpointId !== undefined && state.createdAt === null)
      throw new LookupError(`the thread has no checkpoint ${checkpointId}`);
    return state;
  },
};

/** The most states that an agent server returns at once. */
const MOST_STATES = 1000;

export const getThreadHistory: AgentServerFunction<GetThreadHistoryArgs, GetThreadStateResult[]> = {
  name: "getThreadHistory",
  service: "agent server",
  list: "states",
  schema: ({ z, deploymentUrl, uuid, text }) => ({
    deploymentUrl,
    threadId: uuid,
    limit: z.int().min(1).max(MOST_STATES).optional(),
    before: text.optional(),
  }),
  async find({ threadId, limit = MOST_STATES, before }, { client }) {
    const wanted = { limit, ...(before !== undefined && { before }) };
    const states = await client.threads.history(threadId, wanted);
    return states.map((state) => toResult(threadId, state));
  },
};

function toResult(threadId: string, state: ThreadState): GetThreadStateResult {
  const { values, next, tasks, metadata } = state;
  return {
    values,
    next,
    tasks,
    metadata,
    checkpoint: toCheckpoint(threadId, state.checkpoint),
    parentCheckpoint: toCheckpoint(threadId, state.parent_checkpoint),
    checkpointId: state.checkpoint_id,
    parentCheckpointId: state.parent_checkpoint_id,
    createdAt: state.created_at,
  };
}

/** Not every server repeats the thread's id. */
function toCheckpoint(
  threadId: string,
  checkpoint: Checkpoint | null,
): GetThreadStateCheckpoint | null {
  return (
    checkpoint && {
      checkpointId: checkpoint.checkpoint_id,
      threadId: checkpoint.thread_id ?? threadId,
      checkpointNs: checkpoint.checkpoint_ns ?? "",
    }
  );
}
