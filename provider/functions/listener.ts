import type { Output } from "@pulumi/pulumi";
import type { Listener } from "../../sdk";
import { type Camel, camelKeys } from "../inputs/casing";
import { type Present, present } from "../inputs/props";
import type { Settings } from "../config/settings";
import { chooseOne } from "./choose";
import { collect } from "./collect";
import { type LookUpOptions, lookUp, type OutputArgs } from "./function";

/** Which listener: by its id, by what it computes on, or the only one there is. */
export interface GetListenerArgs {
  readonly id?: string;
  /** A workspace has at most one listener for a compute id. */
  readonly computeId?: string;
}

/** A listener as the service has it; its `id` is what a deployment's `listenerId` names. */
export interface GetListenerResult {
  readonly id: string;
  /** For example `k8s`. */
  readonly computeType: string;
  readonly computeId: string;
  /** For `k8s` the namespaces that it may place deployments in. */
  readonly computeConfig: Present<Camel<Listener["compute_config"]>>;
  /** The workspace that owns it. */
  readonly tenantId: string;
  /** The control plane that it lives on. */
  readonly baseUrl: string;
  readonly version: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly updatedAt: string;
}

/**
 * Looks up a listener by its id or its compute id; without either the workspace must have exactly one.
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
export function getListener(
  args: GetListenerArgs = {},
  options?: LookUpOptions,
): Promise<GetListenerResult> {
  return one.plain(args, options);
}

/** As `getListener`, with an id or a compute id that may be an output. */
export function getListenerOutput(
  args: OutputArgs<GetListenerArgs> = {},
  options?: LookUpOptions,
): Output<GetListenerResult> {
  return one.output(args, options);
}

/** Looks up every listener of the workspace, newest first. */
export function listListeners(options?: LookUpOptions): Promise<GetListenerResult[]> {
  return every.plain({}, options);
}

/** As `listListeners`. */
export function listListenersOutput(options?: LookUpOptions): Output<GetListenerResult[]> {
  return every.output({}, options);
}

const one = lookUp({
  name: "getListener",
  schema: ({ GetListener }) => GetListener,
  find: async ({ id, compute_id: computeId }, { client, settings }) => {
    const { workspaceId } = settings;
    const kind = { plural: "listeners", label: "computeId", workspaceId } as const;
    const listeners = await collect(client.listeners.list());
    const results = listeners.map((listener) => toResult(listener, settings));
    return chooseOne(results, kind, { id, label: computeId });
  },
});

const every = lookUp({
  name: "listListeners",
  schema: ({ ListAll }) => ListAll,
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
