import { ControlPlane } from "../../sdk";
import type { Settings } from "../../settings/settings";
import type { Context } from "./context";

/** One operation on one thing of a control plane, and what it works with. */
export interface Operation extends Omit<Context, "settings"> {
  readonly id: string;
  readonly settings: Settings;
  readonly client: ControlPlane;
}

/** Begins an operation; throws a `SettingsError` without usable settings. A create has no id yet. */
export function operationOf(context: Context, id = ""): Operation {
  const settings = context.settings();
  context.processCache.warn ??= context.log.warn;
  return { ...context, id, settings, client: controlPlaneOf(context, settings) };
}

/** The client with these settings. All resources share it, so its limit of concurrent requests is theirs together. */
export function controlPlaneOf(
  { processCache, clock }: Pick<Context, "processCache" | "clock">,
  given: Settings,
): ControlPlane {
  const { source: _, ...settings } = given;
  const key = JSON.stringify(settings);
  const onMismatch = (member: string): void =>
    processCache.warn?.(`a response does not match the contract, and is read without ${member}`);
  const client =
    processCache.clients.get(key) ??
    new ControlPlane({ ...settings, clock, program: "Pulumi", onMismatch });
  processCache.clients.set(key, client);
  return client;
}
