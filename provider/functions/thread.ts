import { defineAgentServerFunction } from "./define-function";
import * as declarations from "./declarations/thread";

export type * from "./declarations/thread";

const getForms = defineAgentServerFunction(declarations.getThread);
const searchForms = defineAgentServerFunction(declarations.searchThreads);

/**
 * Gets a thread by its id.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * export = async () => {
 *   const { url: deploymentUrl } = await agentserver.getDeployment({ name: "support" });
 *   if (deploymentUrl === null) return {};
 *   const threadId = "5f0c1f9e-0c5b-4c3a-9d57-1a2b3c4d5e6f";
 *   const { status } = await agentserver.getThread({ deploymentUrl, threadId });
 *   return { status };
 * };
 * ```
 * @function
 */
export const getThread = getForms.direct;

/**
 * The output form of `getThread`: arguments may be outputs.
 * @function
 */
export const getThreadOutput = getForms.output;

/**
 * Searches the threads of an agent server, newest first by default.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * export = async () => {
 *   const deploymentUrl = "https://support.example.com";
 *   const busy = await agentserver.searchThreads({ deploymentUrl, status: "busy", limit: 10 });
 *   return { threadIds: busy.map(({ threadId }) => threadId) };
 * };
 * ```
 * @function
 */
export const searchThreads = searchForms.direct;

/**
 * The output form of `searchThreads`: arguments may be outputs.
 * @function
 */
export const searchThreadsOutput = searchForms.output;
