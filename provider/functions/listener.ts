import {
  defineFunction,
  type FunctionOptions,
  type OutputArgs,
  type OutputFunctionOptions,
} from "./define-function";
import * as declarations from "./declarations/listener";

export type * from "./declarations/listener";

const getForms = defineFunction(declarations.getListener);
const listForms = defineFunction(declarations.listListeners);

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
export const getListener = (args: declarations.GetListenerArgs = {}, options?: FunctionOptions) =>
  getForms.direct(args, options);

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
export const getListenerOutput = (
  args: OutputArgs<declarations.GetListenerArgs> = {},
  options?: OutputFunctionOptions,
) => getForms.output(args, options);

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
export const listListeners = (options?: FunctionOptions) => listForms.direct({}, options);

/** The output form of `listListeners`. */
export const listListenersOutput = (options?: OutputFunctionOptions) =>
  listForms.output({}, options);
