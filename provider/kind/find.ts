import { NotFound, NotOfferedError, Unprocessable } from "../../sdk";
import { textOf } from "../../shared/records";
import { namesIn } from "../../settings/source";
import type { Props } from "../arguments/props";
import { adviceToConfigure } from "./advice";
import type { Operation } from "./operation";

/** A resource of a control plane, and how to read it. */
interface Wanted<Resource> {
  /** Its name in errors: `deployment`. */
  readonly noun: string;
  readonly get: () => Promise<Resource>;
  /** Finds its id, a UUID, by a name, which people take for one. @default there is no such way */
  readonly lookUp?: string;
  /** The workspace that owns it. */
  readonly tenantOf: (resource: Resource) => string;
  /** When it was created, where its id is a name that can be given again. @default the service chooses each id once */
  readonly createdAt?: (resource: Resource) => string;
}

/**
 * Reads the resource of a state; undefined when it is surely gone. A 404 counts only at the base URL and workspace of the
 * state, and a response only from its tenant: an id may be a name that another workspace has given too. One that was created
 * at another time is another one: its own is gone.
 */
export async function findRecorded<Resource>(
  { id, settings }: Operation,
  state: Props,
  { noun, get, tenantOf, createdAt, lookUp }: Wanted<Resource>,
): Promise<Resource | undefined> {
  const baseUrl = textOf(state["baseUrl"]);
  const tenantId = textOf(state["tenantId"]);
  const isRecordedTenant = (tenant: string): boolean =>
    tenant.toLowerCase() === tenantId?.toLowerCase();
  const moved = baseUrl !== undefined && baseUrl !== settings.baseUrl;
  const otherWorkspace = tenantId !== undefined && !isRecordedTenant(settings.workspaceId);
  try {
    const found = await get();
    if (tenantId === undefined || isRecordedTenant(tenantOf(found)))
      return createdAt !== undefined && isLaterCreate(state, createdAt(found)) ? undefined : found;
  } catch (error) {
    if (error instanceof Unprocessable && tenantId === undefined && lookUp !== undefined)
      throw new Error(`get ${noun} '${id}': an id is a UUID, and this is none; ${lookUp}`, {
        cause: error,
      });
    if (!(error instanceof NotFound)) throw error;
    if (!moved && !otherWorkspace) return undefined;
  }
  const restore = `restore ${namesIn(settings.source, "baseUrl", "workspaceId")}`;
  throw new Error(
    `find ${noun} '${id}': the state records it at ${baseUrl} in workspace ${tenantId}, ` +
      `but the settings name ${settings.baseUrl} and workspace ${settings.workspaceId}; ` +
      `nothing was changed; ${adviceToConfigure(restore, settings)}`,
  );
}

/** A server may report a time rounded in one place and cut in another. */
const ROUNDING_MS = 1;

/** Whether what has the id of a state now was created at another time, so that another create has taken the id since. */
export function isLaterCreate(state: Props, createdAt: string): boolean {
  const recorded = Date.parse(textOf(state["createdAt"]) ?? "");
  return Math.abs(Date.parse(createdAt) - recorded) > ROUNDING_MS;
}

/** The error of `get` for a resource that does not exist. */
export function notFoundError(
  noun: string,
  { id, settings: { workspaceId, baseUrl } }: Operation,
): Error {
  return new Error(
    `get ${noun} '${id}': it does not exist in workspace ${workspaceId} of ${baseUrl}`,
  );
}

/** The error of an update of a resource that is gone. */
export function goneError(noun: string, name: string, id: string): Error {
  return new Error(
    `update ${noun} '${name}': ${id} no longer exists; run \`pulumi refresh\`, then \`pulumi up\` to recreate it`,
  );
}

/** Whether a URL that has served a resource before reports it gone, whatever the message of its 404. */
export function isGone(error: unknown): boolean {
  return error instanceof NotFound || (error instanceof NotOfferedError && error.status === 404);
}
