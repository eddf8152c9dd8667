import {
  defineFunction,
  type FunctionOptions,
  type OutputArgs,
  type OutputFunctionOptions,
} from "./define-function";
import * as declarations from "./declarations/integration";

export type * from "./declarations/integration";

const getForms = defineFunction(declarations.getIntegration);
const listForms = defineFunction(declarations.listIntegrations);

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
export const getIntegration = (
  args: declarations.GetIntegrationArgs = {},
  options?: FunctionOptions,
) => getForms.direct(args, options);

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
export const getIntegrationOutput = (
  args: OutputArgs<declarations.GetIntegrationArgs> = {},
  options?: OutputFunctionOptions,
) => getForms.output(args, options);

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
export const listIntegrations = (options?: FunctionOptions) => listForms.direct({}, options);

/** The output form of `listIntegrations`. */
export const listIntegrationsOutput = (options?: OutputFunctionOptions) =>
  listForms.output({}, options);
