import type { CustomResourceOptions, ID, Input, Output } from "@pulumi/pulumi";
import { RESOURCE_TYPES } from "../resource-types";
import { AgentServerResource, type OutputsOf } from "../program/resource";

/** The configuration of a compute, by the compute type. */
export interface ComputeConfigArgs {
  /**
   * The Kubernetes namespaces that deployments may be placed in, in any order. Required for the compute type `k8s`. A
   * change is sent in place.
   * @default the namespaces on the service are left alone
   */
  k8sNamespaces?: Input<Input<string>[]> | undefined;
}

/** The configuration of a compute in the outputs of a `Listener`. */
export interface ComputeConfigOutput {
  /** The Kubernetes namespaces that deployments may be placed in; undefined where the program sets none. */
  readonly k8sNamespaces: string[] | undefined;
}

/** Arguments of a `Listener`. */
export interface ListenerArgs {
  /** The type of the compute: `k8s`, a Kubernetes cluster. Another one replaces the listener. */
  computeType: Input<string>;
  /** The id of the compute; a workspace has one listener for each. Another one replaces the listener. */
  computeId: Input<string>;
  /** The configuration of the compute. A change is sent in place. */
  computeConfig: Input<ComputeConfigArgs>;
  /**
   * Adopts a listener that exists for this compute instead of failing, unless another resource of the stack has it. A change
   * sends nothing.
   * @default false
   */
  adoptExisting?: Input<boolean | undefined>;
}

/**
 * A listener places `external_container` deployments in your own cluster. For workspaces of organizations that host the
 * service themselves.
 *
 * With another compute id, the new listener is created first, the deployments that it places are replaced next, and the
 * old listener is deleted last: the service does not delete a listener that places deployments. With the same compute id,
 * the old listener is deleted first: a compute has one listener only.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * const cluster = new agentserver.Listener("cluster", {
 *   computeType: "k8s",
 *   computeId: "cluster-1",
 *   computeConfig: { k8sNamespaces: ["agents"] },
 * });
 * const support = new agentserver.Deployment("support", {
 *   source: "external_container",
 *   sourceConfig: { listenerId: cluster.id, listenerConfig: { k8sNamespace: "agents" }, resourceSpec: { cpu: 1, queueCpu: 0.5 } },
 *   sourceRevisionConfig: { imageUri: "registry.example.com/support:1" },
 * });
 * export const url = support.url;
 * ```
 */
export class Listener extends AgentServerResource {
  /** @internal */
  protected static override readonly kind = RESOURCE_TYPES.Listener;

  /** The type of the compute: `k8s`. */
  declare readonly computeType: Output<string>;
  /** The id of the compute. */
  declare readonly computeId: Output<string>;
  /** The configuration that the program sets; after `get` all of it. */
  declare readonly computeConfig: Output<ComputeConfigOutput>;
  /** Whether an existing listener is adopted; null where the program does not set it. */
  declare readonly adoptExisting: Output<boolean | null>;
  /** The workspace that owns the listener, a UUID. */
  declare readonly tenantId: Output<string>;
  /** The URL of the control plane that the listener lives on. */
  declare readonly baseUrl: Output<string>;
  /** The version that runs in the cluster; null while the service reports none. */
  declare readonly version: Output<string | null>;
  /** ISO 8601. */
  declare readonly createdAt: Output<string>;
  /** ISO 8601. */
  declare readonly updatedAt: Output<string>;

  /**
   * Declares a listener. The preview reports all wrong arguments at once. `args` is undefined only where `options.id` names
   * a listener to read, as `get` does.
   */
  constructor(name: string, args: ListenerArgs | undefined, options?: CustomResourceOptions) {
    super(name, { ...EVERY_OUTPUT, ...args }, options);
  }

  /** Reads an existing listener by its id, without managing it. */
  static get(name: string, id: Input<ID>, options?: CustomResourceOptions): Listener {
    return new this(name, undefined, { ...options, id });
  }
}

const EVERY_OUTPUT: OutputsOf<Listener> = {
  computeType: undefined,
  computeId: undefined,
  computeConfig: undefined,
  adoptExisting: undefined,
  tenantId: undefined,
  baseUrl: undefined,
  version: undefined,
  createdAt: undefined,
  updatedAt: undefined,
};
