import type { CustomResourceOptions, ID, Input, Output } from "@pulumi/pulumi";
import { DynamicResource, type OutputsOf } from "../dynamic";

/** What a listener computes with; which members count depends on the compute type. */
export interface ComputeConfigArgs {
  /**
   * The namespaces that deployments may be placed in, for the compute type `k8s`. Changed in place; their order means
   * nothing. Left out for another compute type, those on the service are left alone.
   */
  k8sNamespaces?: Input<Input<string>[]>;
}

/** Arguments of a `Listener`. */
export interface ListenerArgs {
  /** What it computes on; `k8s` is the one that the service names. Another one replaces the listener. */
  computeType: Input<string>;
  /** The cluster's own id; a workspace has one listener for each. Another one replaces the listener. */
  computeId: Input<string>;
  computeConfig: Input<ComputeConfigArgs>;
}

/**
 * A listener: the place in your own cluster that `external_container` deployments are put in, for workspaces of
 * organizations that host the service themselves.
 *
 * With another compute id the new listener is made first, then the deployments that it places are replaced, and the old
 * one is deleted last: the service does not delete a listener that places deployments, and where the new one can't be
 * made, nothing is lost. A compute has one listener only, so with the same compute id the old one is deleted first.
 *
 * @example
 * ```ts
 * const cluster = new agentserver.Listener("cluster", {
 *   computeType: "k8s",
 *   computeId: "cluster-1",
 *   computeConfig: { k8sNamespaces: ["agents"] },
 * });
 * const support = new agentserver.Deployment("support", {
 *   source: "external_container",
 *   sourceConfig: { listenerId: cluster.id, listenerConfig: { k8sNamespace: "agents" }, resourceSpec: {} },
 *   sourceRevisionConfig: { imageUri: "registry.example.com/support:1" },
 * });
 * ```
 */
export class Listener extends DynamicResource {
  declare readonly computeType: Output<string>;
  declare readonly computeId: Output<string>;
  declare readonly computeConfig: Output<{ readonly k8sNamespaces?: string[] }>;
  /** The workspace that owns it. */
  declare readonly tenantId: Output<string>;
  /** The control plane that it lives on. */
  declare readonly baseUrl: Output<string>;
  /** The version that runs there; null while the service has not said. */
  declare readonly version: Output<string | null>;
  /** ISO 8601. */
  declare readonly createdAt: Output<string>;
  /** ISO 8601. */
  declare readonly updatedAt: Output<string>;

  /**
   * Declares a listener; wrong arguments are reported by the preview, all at once. Without arguments it must be one that
   * `options.id` names, as with `get`.
   */
  constructor(name: string, args: ListenerArgs | undefined, options?: CustomResourceOptions) {
    super("Listener", name, { ...EVERY_OUTPUT, ...args }, options);
  }

  /** Reads a listener that is there already, by its id, without managing it. */
  static get(name: string, id: Input<ID>, options?: CustomResourceOptions): Listener {
    return new Listener(name, undefined, { ...options, id });
  }
}

const EVERY_OUTPUT: OutputsOf<Listener> = {
  computeType: undefined,
  computeId: undefined,
  computeConfig: undefined,
  tenantId: undefined,
  baseUrl: undefined,
  version: undefined,
  createdAt: undefined,
  updatedAt: undefined,
};
