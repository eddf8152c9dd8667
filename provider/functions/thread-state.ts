import type { Output } from "@pulumi/pulumi";
import type { ThreadState } from "../../sdk";
import { defineFunction, type OutputArgs } from "./define-function";
import { LookupError } from "./list";
import type { GetThreadArgs } from "./thread";

/** Arguments of `getThreadState`. */
export interface GetThreadStateArgs extends GetThreadArgs {
  /**
   * The checkpoint of a state in the thread's history.
   * @default the newest
   */
  readonly checkpointId?: string;
}

/** Arguments of `getThreadHistory`. */
export interface GetThreadHistoryArgs extends GetThreadArgs {
  /**
   * How many states at most, the newest ones: 1 to 1000.
   * @default 1000
   */
  readonly limit?: number;
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
  readonly checkpointId: string | null;
  /** The checkpoint of the state before it; null for the first one. */
  readonly parentCheckpointId: string | null;
  /** ISO 8601; null for an empty thread. */
  readonly createdAt: string | null;
}

/**
 * Gets the state of a thread, the newest or that of a checkpoint.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * export = async () => {
 *   const deploymentUrl = "https://support.example.com";
 *   const threadId = "5f0c1f9e-0c5b-4c3a-9d57-1a2b3c4d5e6f";
 *   const { values } = await agentserver.getThreadState({ deploymentUrl, threadId });
 *   return { values };
 * };
 * ```
 */
export function getThreadState(args: GetThreadStateArgs): Promise<GetThreadStateResult> {
  return one.direct(args);
}

/**
 * The output form of `getThreadState`: arguments may be outputs.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * const fixture = new agentserver.Thread("fixture", { deploymentUrl: "https://support.example.com" });
 * const { deploymentUrl, threadId } = fixture;
 * const state = agentserver.getThreadStateOutput({ deploymentUrl, threadId });
 * export const { values, checkpointId } = state;
 * ```
 */
export function getThreadStateOutput(
  args: OutputArgs<GetThreadStateArgs>,
): Output<GetThreadStateResult> {
  return one.output(args);
}

/**
 * Lists the states of a thread, newest first.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * export = async () => {
 *   const deploymentUrl = "https://support.example.com";
 *   const threadId = "5f0c1f9e-0c5b-4c3a-9d57-1a2b3c4d5e6f";
 *   const states = await agentserver.getThreadHistory({ deploymentUrl, threadId, limit: 2 });
 *   return { checkpointIds: states.map(({ checkpointId }) => checkpointId) };
 * };
 * ```
 */
export function getThreadHistory(args: GetThreadHistoryArgs): Promise<GetThreadStateResult[]> {
  return every.direct(args);
}

/**
 * The output form of `getThreadHistory`: arguments may be outputs.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * const fixture = new agentserver.Thread("fixture", { deploymentUrl: "https://support.example.com" });
 * const { deploymentUrl, threadId } = fixture;
 * const history = agentserver.getThreadHistoryOutput({ deploymentUrl, threadId });
 * export const steps = history.apply((states) => states.map(({ metadata }) => metadata["step"]));
 * ```
 */
export function getThreadHistoryOutput(
  args: OutputArgs<GetThreadHistoryArgs>,
): Output<GetThreadStateResult[]> {
  return every.output(args);
}

const one = defineFunction<GetThreadStateArgs, GetThreadStateResult, "agent server">({
  name: "getThreadState",
  service: "agent server",
  isList: false,
  schema: ({ deploymentUrl, uuid, text }) => ({
    deploymentUrl,
    threadId: uuid,
    checkpointId: text.optional(),
  }),
  subject: ({ threadId }) => threadId,
  async find({ threadId, checkpointId }, { client }) {
    const state = toResult(await client.threads.state(threadId, checkpointId));
    // For a checkpoint that it does not have, an agent server returns an empty state.
    if (checkpointId !== undefined && state.createdAt === null)
      throw new LookupError(`the thread has no checkpoint ${checkpointId}`);
    return state;
  },
});

/** The most states that an agent server returns at once. */
const MOST_STATES = 1000;

const every = defineFunction<GetThreadHistoryArgs, GetThreadStateResult[], "agent server">({
  name: "getThreadHistory",
  service: "agent server",
  isList: true,
  schema: ({ z, deploymentUrl, uuid }) => ({
    deploymentUrl,
    threadId: uuid,
    limit: z.int().min(1).max(MOST_STATES).optional(),
  }),
  find: async ({ threadId, limit = MOST_STATES }, { client }) =>
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
