import type { Deployment as StackState } from "@pulumi/pulumi/automation";

/** A resource as the state holds it. */
export interface StateResource {
  /** The name that the program gave it. */
  readonly name: string;
  readonly id: string;
  readonly inputs: Record<string, unknown>;
  readonly outputs: Record<string, unknown>;
  readonly initErrors: readonly string[];
}

/** The one line that states keep of us, for each kind; old states are refreshed and destroyed through it. */
export const PROVIDER_TEXTS = {
  deployment:
    'exports.handler = () => require("node:module").createRequire(process.cwd() + "/")("pulumi-agentserver/provider/lifecycle").deployment;',
  listener:
    'exports.handler = () => require("node:module").createRequire(process.cwd() + "/")("pulumi-agentserver/provider/lifecycle").listener;',
  thread:
    'exports.handler = () => require("node:module").createRequire(process.cwd() + "/")("pulumi-agentserver/provider/lifecycle").thread;',
};

/** The deployments of an exported state. */
export function deploymentsIn(state: StackState): StateResource[] {
  return resourcesIn(state, "Deployment");
}

/** The resources of one of our kinds in an exported state, by default of all of them. */
export function resourcesIn({ deployment }: StackState, kind = ""): StateResource[] {
  const resources: unknown = deployment.resources;
  if (!Array.isArray(resources)) return [];
  return resources
    .filter(({ type }) => String(type).includes(`dynamic/agentserver:${kind}`))
    .map(({ urn, id, inputs, outputs, initErrors }) => ({
      name: logicalName(String(urn)),
      id: String(id),
      inputs: Object(inputs),
      outputs: Object(outputs),
      initErrors: Array.isArray(initErrors) ? initErrors : [],
    }));
}

/** The name that a program gave to the resource of a URN. */
export function logicalName(urn: string): string {
  return urn.split("::").slice(3).join("::");
}
