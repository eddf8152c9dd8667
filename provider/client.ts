import { ControlPlane } from "../sdk";
import type { Settings } from "./settings";

const clients = new Map<string, ControlPlane>();

/** The client with these settings: one for all resources, so that its limit of requests at once is theirs together. */
export function controlPlaneOf(given: Settings): ControlPlane {
  const { origin: _, ...settings } = given;
  const key = JSON.stringify(settings);
  const client = clients.get(key) ?? new ControlPlane(settings);
  clients.set(key, client);
  return client;
}
