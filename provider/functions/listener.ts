import type { Output } from "@pulumi/pulumi";
import type { Listener } from "../../sdk";
import type { Settings } from "../config/settings";
import { type Camel, camelKeys } from "../inputs/casing";
import { type Present, present } from "../inputs/props";
import { defineFunction, type FunctionOptions, type OutputArgs } from "./define-function";
import { collect, findOne, notBoth } from "./list";

/** Arguments of `getListener`: an id or a compute id, or neither where the workspace has exactly one listener. */
export interface GetListenerArgs {
  /**
   * The id of the listener, a UUID.
   * @default the only listener
   */
  readonly id?: string;
  /**
   * The id of the compute. A workspace has at most one listener for each.
   * @default the only listener
   */
  readonly computeId?: string;
}

/** A listener on the service. Its `id` is the `listenerId` of a deployment. */
export interface GetListenerResult {
  /** A UUID. */
  readonly id: string;
  /** The type of the compute, for example `k8s`. */
  readonly computeType: string;
  /** The id of the compute. */
  readonly computeId: string;
  /** For `k8s` the namespaces that deployments may be placed in. */
  readonly computeConfig: Present<Camel<Listener["compute_config"]>>;
  /** The workspace that owns the listener, a UUID. */
  readonly tenantId: string;
  /** The URL of the control plane that the listener lives on. */
  readonly baseUrl: string;
  /** The version that runs in the cluster; null while the service reports none. */
  readonly version: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly updatedAt: string;
}

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
  return one.direct(args, options);
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
  options?: FunctionOptions,
): Output<GetListenerResult> {
  return one.output(args, options);
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
  return every.direct({}, options);
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
export function listListenersOutput(options?: FunctionOptions): Output<GetListenerResult[]> {
  return every.output({}, options);
}

const one = defineFunction<GetListenerArgs, GetListenerResult>({
  name: "getListener",
  service: "control plane",
  isList: false,
  schema: ({ uuid, text }) => ({ id: uuid.optional(), computeId: text.optional() }),
  rules: [notBoth("computeId")],
  subject: ({ id, computeId }) => id ?? computeId,
  async find({ id, computeId }, { client, settings }) {
    const listeners = await collect(client.listeners.list());
    const results = listeners.map((listener) => toResult(listener, settings));
    const { workspaceId } = settings;
    const kind = { plural: "listeners", label: "computeId", workspaceId } as const;
    return findOne(results, kind, { id, label: computeId });
  },
});

const every = defineFunction<object, GetListenerResult[]>({
  name: "listListeners",
  service: "control plane",
  isList: true,
  schema: () => ({}),
  find: async (_, { client, settings }) =>
    (await collect(client.listeners.list())).map((listener) => toResult(listener, settings)),
});

function toResult(
  { compute_config: config, version, ...listener }: Listener,
  { baseUrl, workspaceId }: Settings,
): GetListenerResult {
  return {
    ...camelKeys(listener),
    computeConfig: present(camelKeys(config)),
    version: version ?? null,
    tenantId: workspaceId,
    baseUrl,
  };
}
