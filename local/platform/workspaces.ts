import { randomBytes, randomInt, randomUUID } from "node:crypto";
import type { PlatformClock } from "./clock";
import type { Store, Workspace } from "../store";

/** A new random key; the prefix names its use. */
export function newKey(prefix: "key" | "admin"): string {
  return `${prefix}_${randomBytes(24).toString("hex")}`;
}

/** Adds a workspace with an integration and a `k8s` listener, both named `local`. */
export function addWorkspace(store: Store, clock: PlatformClock, name: string): Workspace {
  const workspace = { id: randomUUID(), name, api_key: newKey("key") };
  const at = clock.stamp();
  store.transaction(() => {
    store.workspaces.add(workspace);
    store.integrations.add(workspace.id, {
      id: randomUUID(),
      installation_id: randomInt(1, 2 ** 31),
      name: "local",
    });
    store.listeners.put(workspace.id, {
      id: randomUUID(),
      compute_type: "k8s",
      compute_id: "local",
      compute_config: { k8s_namespaces: ["default", "agents"] },
      created_at: at,
      updated_at: at,
    });
  });
  return workspace;
}
