import { ControlPlane } from "../../sdk";
import type { Context } from "./serve";
import type { Settings } from "../config/settings";

/** The client with these settings: one for all resources, so that its limit of requests at once is theirs together. */
export function controlPlaneOf(
  { memory: { clients }, clock }: Pick<Context, "memory" | "clock">,
  given: Settings,
): ControlPlane {
  const { source: _, ...settings } = given;
  const key = JSON.stringify(settings);
  const client = clients.get(key) ?? new ControlPlane({ ...settings, clock });
  clients.set(key, client);
  return client;
}
