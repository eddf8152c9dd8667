import type { Output } from "@pulumi/pulumi";
import {
  defineFunction,
  type FunctionOptions,
  type OutputArgs,
  type OutputFunctionOptions,
} from "./define-function";
import * as declarations from "./declarations/integration";
import type { GetIntegrationArgs, GetIntegrationResult } from "./declarations/integration";

export type * from "./declarations/integration";

/**
 * Gets a git integration by its id or its whole name, or the only one of the workspace.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * export = async () => {
 *   const { id, name } = await agentserver.getIntegration();
 *   return { id, name };
 * };
 * ```
 */
export function getIntegration(
  args: GetIntegrationArgs = {},
  options?: FunctionOptions,
): Promise<GetIntegrationResult> {
  return getForms.direct(args, options);
}

/**
 * The output form of `getIntegration`: the id or the name may be an output.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * const integrationId = agentserver.getIntegrationOutput().id;
 * const support = new agentserver.Deployment("support", {
 *   source: "git_host",
 *   sourceConfig: {
 *     integrationId,
 *     repoUrl: "https://git.example.com/acme/support.git",
 *     deploymentType: "dev",
 *   },
 *   sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },
 * });
 * export const url = support.url;
 * ```
 */
export function getIntegrationOutput(
  args: OutputArgs<GetIntegrationArgs> = {},
  options?: OutputFunctionOptions,
): Output<GetIntegrationResult> {
  return getForms.output(args, options);
}

/**
 * Lists the git integrations of the workspace.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * export = async () => {
 *   const integrations = await agentserver.listIntegrations();
 *   return { names: integrations.map(({ name }) => name) };
 * };
 * ```
 */
export function listIntegrations(options?: FunctionOptions): Promise<GetIntegrationResult[]> {
  return listForms.direct({}, options);
}

/**
 * The output form of `listIntegrations`.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * const integrations = agentserver.listIntegrationsOutput();
 * export const names = integrations.apply((all) => all.map(({ name }) => name));
 * ```
 */
export function listIntegrationsOutput(
  options?: OutputFunctionOptions,
): Output<GetIntegrationResult[]> {
  return listForms.output({}, options);
}

const getForms = defineFunction(declarations.getIntegration);
const listForms = defineFunction(declarations.listIntegrations);
