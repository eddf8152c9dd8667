import {
  defineFunction,
  type FunctionOptions,
  type OutputFunctionOptions,
  type OutputArgs,
} from "./define-function";
import * as declarations from "./declarations/deployment";

export type * from "./declarations/deployment";

const getForms = defineFunction(declarations.getDeployment);
const listForms = defineFunction(declarations.listDeployments);

/**
 * Gets a deployment by its id or its whole name. Where no deployment has the name, the error names one of a similar name.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * export = async () => {
 *   const { url, sourceRevisionConfig } = await agentserver.getDeployment({ name: "support" });
 *   return { url, ref: sourceRevisionConfig.repoRef };
 * };
 * ```
 * @function
 */
export const getDeployment = getForms.direct;

/**
 * The output form of `getDeployment`: arguments may be outputs. In a preview the result is unknown while an argument is, or
 * while the resource that it comes from does not exist yet.
 *
 * @example
 * ```ts
 * import * as pulumi from "@pulumi/pulumi";
 * import * as agentserver from "pulumi-agentserver";
 *
 * const config = new pulumi.Config();
 * const eu = new agentserver.Provider("eu", {
 *   baseUrl: "https://eu.example.com",
 *   apiKey: config.requireSecret("euApiKey"),
 *   workspaceId: config.require("euWorkspaceId"),
 * });
 * export const url = agentserver.getDeploymentOutput({ name: "support" }, { provider: eu }).url;
 * ```
 * @function
 */
export const getDeploymentOutput = getForms.output;

/**
 * Lists the deployments that match the filters, newest first.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * export = async () => {
 *   const deployments = await agentserver.listDeployments({ deploymentType: "prod" });
 *   return { urls: deployments.map(({ url }) => url) };
 * };
 * ```
 */
export const listDeployments = (
  args: declarations.ListDeploymentsArgs = {},
  options?: FunctionOptions,
) => listForms.direct(args, options);

/** The output form of `listDeployments`: filters may be outputs. */
export const listDeploymentsOutput = (
  args: OutputArgs<declarations.ListDeploymentsArgs> = {},
  options?: OutputFunctionOptions,
) => listForms.output(args, options);
