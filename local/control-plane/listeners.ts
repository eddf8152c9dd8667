import { randomUUID } from "node:crypto";
import type { CreateListener, Listener, UpdateListener } from "../../sdk/schema";
import type { Platform } from "./platform";
import { notFound, problem } from "./problems";
import type { Workspace } from "../store";

/** The compute type whose configuration is validated. */
const KUBERNETES = "k8s";

/** Adds a listener; throws 400 and 409. */
export function createListener(
  { store, clock }: Platform,
  workspace: Workspace,
  body: CreateListener,
): Listener {
  refuseConfig(body.compute_type, body.compute_config);
  const { compute_id } = body;
  if (store.listeners.ofCompute(workspace.id, compute_id))
    throw problem(
      409,
      `workspace ${workspace.id} has a listener for compute '${compute_id}' already`,
    );
  const at = clock.stamp();
  const listener = { ...body, id: randomUUID(), created_at: at, updated_at: at };
  store.listeners.put(workspace.id, listener);
  return findListener(store, workspace, listener.id);
}

/** Throws 404. */
export function findListener(store: Platform["store"], workspace: Workspace, id: string): Listener {
  const listener = store.listeners.get(workspace.id, id);
  if (!listener) throw notFound("listener", id);
  return listener;
}

/** Changes the members that are set and not null; throws 400 and 404. */
export function updateListener(
  { store, clock }: Platform,
  workspace: Workspace,
  id: string,
  body: UpdateListener,
): Listener {
  const old = findListener(store, workspace, id);
  const changes = Object.entries(body).filter(([, value]) => value !== null && value !== undefined);
  const updated_at = clock.stamp();
  const listener: Listener = { ...old, ...Object.fromEntries(changes), updated_at };
  refuseConfig(listener.compute_type, listener.compute_config);
  store.listeners.put(workspace.id, listener);
  return listener;
}

/** Removes a listener; throws 404, and 409 while a deployment uses it. */
export function deleteListener({ store }: Platform, workspace: Workspace, id: string): void {
  findListener(store, workspace, id);
  const [placed] = store.deployments.list(workspace.id, { listener_id: id }, 1, 0);
  if (placed)
    throw problem(
      409,
      `listener ${id} places deployments, among them '${placed.name}' (${placed.id})`,
    );
  store.listeners.remove(id);
}

/** Fields are validated by the compute type (contract, "ListenerConfig"). */
function refuseConfig(computeType: string, config: CreateListener["compute_config"]): void {
  if (computeType === KUBERNETES && !config.k8s_namespaces?.length)
    throw problem(400, `compute_config.k8s_namespaces must name a namespace for ${KUBERNETES}`);
}
