import type { Output } from "@pulumi/pulumi";
import {
  defineFunction,
  type FunctionOptions,
  type OutputArgs,
  type OutputFunctionOptions,
} from "./define-function";
import * as declarations from "./declarations/listener";
import type { GetListenerArgs, GetListenerResult } from "./declarations/listener";

export type * from "./declarations/listener";

/**
 * Gets a listener by its id or its compute id, or the only one of the workspace.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * export = async () => {
 *   const { computeConfig } = await agentserver.getListener({ computeId: "cluster-1" });
 *   return { namespaces: computeConfig.k8sNamespaces };
 * };
 * ```
 */
export function getListener(
  args: GetListenerArgs = {},
  options?: FunctionOptions,
): Promise<GetListenerResult> {
  return getForms.direct(args, options);
}

/**
 * The output form of `getListener`: the id or the compute id may be an output.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * const listenerId = agentserver.getListenerOutput({ computeId: "cluster-1" }).id;
 * const support = new agentserver.Deployment("support", {
 *   source: "external_container",
 *   sourceConfig: { listenerId, resourceSpec: { cpu: 1 } },
 *   sourceRevisionConfig: { imageUri: "registry.example.com/acme/support:1.4" },
 * });
 * export const url = support.url;
 * ```
 */
export function getListenerOutput(
  args: OutputArgs<GetListenerArgs> = {},
  options?: OutputFunctionOptions,
): Output<GetListenerResult> {
  return getForms.output(args, options);
}

/**
 * Lists the listeners of the workspace, newest first.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * export = async () => {
 *   const listeners = await agentserver.listListeners();
 *   return { computeIds: listeners.map(({ computeId }) => computeId) };
 * };
 * ```
 */
export function listListeners(options?: FunctionOptions): Promise<GetListenerResult[]> {
  return listForms.direct({}, options);
}

/**
 * The output form of `listListeners`.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * const listeners = agentserver.listListenersOutput();
 * export const computeIds = listeners.apply((all) => all.map(({ computeId }) => computeId));
 * ```
 */
export function listListenersOutput(options?: OutputFunctionOptions): Output<GetListenerResult[]> {
  return listForms.output({}, options);
}

const getForms = defineFunction(declarations.getListener);
const listForms = defineFunction(declarations.listListeners);
