import { NotFound, NotOfferedError } from "../../sdk";
import type { Job } from "./job";
import { namesIn } from "../config/settings-source";
import { textOf } from "../../shared/records";
import type { Props } from "../inputs/props";

/** A thing of a control plane, and how to read it. */
interface Sought<Thing> {
  /** What it is called in errors: `deployment`. */
  readonly noun: string;
  readonly get: () => Promise<Thing>;
  /** The workspace that owns it. */
  readonly tenantOf: (thing: Thing) => string;
}

/**
 * Reads the thing that the state speaks of; undefined when it is surely gone. A 404 is believed only where the state says
 * that it lives, and an answer from another address only when it is the same tenant's.
 */
export async function findRecorded<Thing>(
  { id, settingsInForce: settings }: Job,
  state: Props,
  { noun, get, tenantOf }: Sought<Thing>,
): Promise<Thing | undefined> {
  const baseUrl = textOf(state["baseUrl"]);
  const tenantId = textOf(state["tenantId"]);
  const isRecordedTenant = (tenant: string): boolean =>
    tenant.toLowerCase() === tenantId?.toLowerCase();
  const moved = baseUrl !== undefined && baseUrl !== settings.baseUrl;
  const otherWorkspace = tenantId !== undefined && !isRecordedTenant(settings.workspaceId);
  try {
    const thing = await get();
    if (!moved || isRecordedTenant(tenantOf(thing))) return thing;
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    if (!moved && !otherWorkspace) return undefined;
  }
  throw new Error(
    `find ${noun} '${id}': the state says that it lives at ${baseUrl} in workspace ${tenantId}, ` +
      `but the settings name ${settings.baseUrl} and workspace ${settings.workspaceId}; ` +
      `set ${namesIn(settings.source, "baseUrl", "workspaceId")} back, nothing was changed`,
  );
}

/** The error of `get` for a thing that does not exist. */
export function notFoundError(
  noun: string,
  { id, settingsInForce: { workspaceId, baseUrl } }: Job,
): Error {
  return new Error(
    `get ${noun} '${id}': it does not exist in workspace ${workspaceId} of ${baseUrl}`,
  );
}

/** The error of an update of a thing that is gone. */
export function goneError(noun: string, name: string, id: string): Error {
  return new Error(
    `update ${noun} '${name}': ${id} does not exist any more; run \`pulumi refresh\`, then \`pulumi up\` makes it anew`,
  );
}

/** Whether an address that has answered for a thing before says that it is gone: whatever words its 404 comes with. */
export function isGone(error: unknown): boolean {
  return error instanceof NotFound || (error instanceof NotOfferedError && error.status === 404);
}
