import type { Output } from "@pulumi/pulumi";
import {
  defineFunction,
  type FunctionOptions,
  type OutputArgs,
  type OutputFunctionOptions,
} from "./define-function";
import * as declarations from "./declarations/deployment";
import type {
  GetDeploymentArgs,
  ListDeploymentsArgs,
  GetDeploymentResult,
} from "./declarations/deployment";

export type * from "./declarations/deployment";

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
 */
export function getDeployment(
  args: GetDeploymentArgs,
  options?: FunctionOptions,
): Promise<GetDeploymentResult> {
  return getForms.direct(args, options);
}

/**
 * The output form of `getDeployment`: arguments may be outputs. In a preview the result is unknown while an argument is, or
 * while the resource that it comes from does not exist yet.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * const eu = new agentserver.Provider("eu", { baseUrl: "https://eu.example.com" });
 * export const url = agentserver.getDeploymentOutput({ name: "support" }, { provider: eu }).url;
 * ```
 */
export function getDeploymentOutput(
  args: OutputArgs<GetDeploymentArgs>,
  options?: OutputFunctionOptions,
): Output<GetDeploymentResult> {
  return getForms.output(args, options);
}

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
export function listDeployments(
  args: ListDeploymentsArgs = {},
  options?: FunctionOptions,
): Promise<GetDeploymentResult[]> {
  return listForms.direct(args, options);
}

/**
 * The output form of `listDeployments`: filters may be outputs.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * const deployments = agentserver.listDeploymentsOutput({ nameContains: "support" });
 * export const names = deployments.apply((all) => all.map(({ name }) => name));
 * ```
 */
export function listDeploymentsOutput(
  args: OutputArgs<ListDeploymentsArgs> = {},
  options?: OutputFunctionOptions,
): Output<GetDeploymentResult[]> {
  return listForms.output(args, options);
}

const getForms = defineFunction(declarations.getDeployment);
const listForms = defineFunction(declarations.listDeployments);
