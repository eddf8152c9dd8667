import { defineAgentServerFunction } from "./define-function";
import * as declarations from "./declarations/thread-state";

export type * from "./declarations/thread-state";

const getStateForms = defineAgentServerFunction(declarations.getThreadState);
const getHistoryForms = defineAgentServerFunction(declarations.getThreadHistory);

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
 * @function
 */
export const getThreadState = getStateForms.direct;

/**
 * The output form of `getThreadState`: arguments may be outputs.
 * @function
 */
export const getThreadStateOutput = getStateForms.output;

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
 *   const thread = { deploymentUrl, threadId };
 *   const { checkpointId } = await agentserver.getThreadState(thread);
 *   if (checkpointId === null) return {};
 *   const earlier = await agentserver.getThreadHistory({ ...thread, before: checkpointId, limit: 2 });
 *   return { checkpoints: earlier.map(({ checkpoint }) => checkpoint) };
 * };
 * ```
 * @function
 */
export const getThreadHistory = getHistoryForms.direct;

/**
 * The output form of `getThreadHistory`: arguments may be outputs.
 * @function
 */
export const getThreadHistoryOutput = getHistoryForms.output;
