import type { Output } from "@pulumi/pulumi";
import {
  type AgentServerFunctionOptions,
  defineFunction,
  type OutputArgs,
} from "./define-function";
import * as declarations from "./declarations/thread";
import type { GetThreadArgs, SearchThreadsArgs, GetThreadResult } from "./declarations/thread";

export type * from "./declarations/thread";

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
 */
export function getThread(args: GetThreadArgs): Promise<GetThreadResult> {
  return getForms.direct(args);
}

/**
 * The output form of `getThread`: arguments may be outputs.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * const fixture = new agentserver.Thread("fixture", { deploymentUrl: "https://support.example.com" });
 * const { deploymentUrl, threadId } = fixture;
 * export const { status } = agentserver.getThreadOutput({ deploymentUrl, threadId });
 * ```
 */
export function getThreadOutput(
  args: OutputArgs<GetThreadArgs>,
  options?: AgentServerFunctionOptions,
): Output<GetThreadResult> {
  return getForms.output(args, options);
}

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
 */
export function searchThreads(args: SearchThreadsArgs): Promise<GetThreadResult[]> {
  return searchForms.direct(args);
}

/**
 * The output form of `searchThreads`: arguments may be outputs.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * const support = agentserver.Deployment.get("support", "11111111-1111-4111-8111-111111111111");
 * const fixtures = agentserver.searchThreadsOutput({
 *   deploymentUrl: support.url,
 *   metadata: { fixture: "demo" },
 * });
 * export const threadIds = fixtures.apply((threads) => threads.map(({ threadId }) => threadId));
 * ```
 */
export function searchThreadsOutput(
  args: OutputArgs<SearchThreadsArgs>,
  options?: AgentServerFunctionOptions,
): Output<GetThreadResult[]> {
  return searchForms.output(args, options);
}

const getForms = defineFunction(declarations.getThread);
const searchForms = defineFunction(declarations.searchThreads);
