import type { ControlPlane, Listener } from "../../sdk";
import { CreateListener, UpdateListener } from "../../sdk/schema";
import { controlPlaneLifecycle } from "../resource/control-plane-lifecycle";
import { RESOURCE_TYPES } from "../resource-types";
import { difference, listenerArguments, namespacesOf } from "./diff";

/** The lifecycle of a `Listener`. */
export const listenerLifecycle = controlPlaneLifecycle(RESOURCE_TYPES.Listener, {
  arguments: listenerArguments,
  key: "computeId",
  outputs: ["version", "createdAt", "updatedAt"],
  bodies: { create: CreateListener, update: UpdateListener },
  requests: ({ listeners }) => listeners,
  find: byCompute,
  difference: (id, olds, news, { processCache }) => {
    processCache.namespaces.set(id, namespacesOf(news));
    return difference(olds, news);
  },
  describeReplacement: () =>
    "a compute has one listener, so this needs the option deleteBeforeReplace: true",
  exists: "exists for this compute, and a workspace has one for each",
  reading: () => "Listener.get",
  inUse:
    "delete those deployments, or replace them with ones on another listener, then run the same command again",
});

/** A workspace has at most one listener for a compute. Of two whose ids differ in case alone, it is the one with this id. */
async function byCompute(client: ControlPlane, computeId: string): Promise<Listener | undefined> {
  const listeners = await Array.fromAsync(client.listeners.list());
  return (
    listeners.find(({ compute_id }) => compute_id === computeId) ??
    listeners.find(({ compute_id }) => listenerArguments.same("computeId", compute_id, computeId))
  );
}
