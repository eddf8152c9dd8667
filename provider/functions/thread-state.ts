import type { Output } from "@pulumi/pulumi";
import type { ThreadState } from "../../sdk";
import { ChoiceError } from "./choose";
import { lookUpThreads, type OutputArgs } from "./function";
import type { GetThreadArgs } from "./thread";

/** Which state of which thread. */
export interface GetThreadStateArgs extends GetThreadArgs {
  /** A state of the thread's history. @default the newest */
  readonly checkpointId?: string;
}

/** Which states of a thread. */
export interface GetThreadHistoryArgs extends GetThreadArgs {
  /** The newest so many, 1 to 1000. @default 1000 */
  readonly limit?: number;
}

/** A thread's state; names in metadata and values are the server's own. */
export interface GetThreadStateResult {
  readonly values: Readonly<Record<string, unknown>>;
  /** The nodes that come next; none when the graph is through. */
  readonly next: readonly string[];
  readonly tasks: readonly unknown[];
  /** Among it `source`, `step` and `writes` (thread contract, "Thread state"). */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Names the state; null for an empty thread, which has none. */
  readonly checkpointId: string | null;
  /** Names the state before it, if there is one. */
  readonly parentCheckpointId: string | null;
  /** ISO 8601; null for an empty thread. */
  readonly createdAt: string | null;
}

/**
 * Looks up a thread's state, now or at a checkpoint of its history.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * const { url: deploymentUrl } = agentserver.Deployment.get("support", "11111111-1111-4111-8111-111111111111");
 * const threadId = "5f0c1f9e-0c5b-4c3a-9d57-1a2b3c4d5e6f";
 * const state = agentserver.getThreadStateOutput({ deploymentUrl, threadId });
 * export const { values, checkpointId } = state;
 * ```
 */
export function getThreadState(args: GetThreadStateArgs): Promise<GetThreadStateResult> {
  return one.plain(args);
}

/** As `getThreadState`, with arguments that may be outputs. */
export function getThreadStateOutput(
  args: OutputArgs<GetThreadStateArgs>,
): Output<GetThreadStateResult> {
  return one.output(args);
}

/**
 * Looks up the states that a thread went through, newest first.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * const { url: deploymentUrl } = agentserver.Deployment.get("support", "11111111-1111-4111-8111-111111111111");
 * const threadId = "5f0c1f9e-0c5b-4c3a-9d57-1a2b3c4d5e6f";
 * const history = agentserver.getThreadHistoryOutput({ deploymentUrl, threadId });
 * export const steps = history.apply((states) => states.map(({ metadata }) => metadata.step));
 * ```
 */
export function getThreadHistory(args: GetThreadHistoryArgs): Promise<GetThreadStateResult[]> {
  return every.plain(args);
}

/** As `getThreadHistory`, with arguments that may be outputs. */
export function getThreadHistoryOutput(
  args: OutputArgs<GetThreadHistoryArgs>,
): Output<GetThreadStateResult[]> {
  return every.output(args);
}

const one = lookUpThreads({
  name: "getThreadState",
  schema: ({ GetThreadState }) => GetThreadState,
  find: async ({ thread_id: threadId, checkpoint_id: checkpointId }, { client }) => {
    const state = toResult(await client.threads.state(threadId, checkpointId));
    // The servers answer a checkpoint that they do not have with an empty state.
    if (checkpointId !== undefined && state.createdAt === null)
      throw new ChoiceError(`the thread has no checkpoint ${checkpointId}`);
    return state;
  },
});

const MOST_STATES = 1000;

const every = lookUpThreads({
  name: "getThreadHistory",
  schema: ({ GetThreadHistory }) => GetThreadHistory,
  find: async ({ thread_id: threadId, limit = MOST_STATES }, { client }) =>
    (await client.threads.history(threadId, { limit })).map(toResult),
});

function toResult(state: ThreadState): GetThreadStateResult {
  const { values, next, tasks, metadata } = state;
  return {
    values,
    next,
    tasks,
    metadata,
    checkpointId: state.checkpoint_id,
    parentCheckpointId: state.parent_checkpoint_id,
    createdAt: state.created_at,
  };
}
