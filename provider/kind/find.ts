import { type Clock, NotFound, NotOfferedError, Unprocessable } from "../../sdk";
import { InvalidResponseError } from "../../sdk/errors";
import { textOf } from "../../shared/records";
import { namesIn } from "../../settings/source";
import type { Props } from "../arguments/props";
import { adviceToConfigure } from "./advice";
import type { Context } from "./context";
import type { Operation } from "./operation";

/** A resource of a control plane, and how to read it. */
interface Wanted<Resource> {
  /** Its name in errors: `deployment`. */
  readonly noun: string;
  readonly get: () => Promise<Resource>;
  /** Finds its id, a UUID, by a name, which people take for one. @default there is no such way */
  readonly lookUp?: string;
  /** The workspace that owns it. @default the one of the request, where a response names none */
  readonly tenantOf?: (resource: Resource) => string;
  /** When it was created, where its id is a name that can be given again. @default the service chooses each id once */
  readonly createdAt?: (resource: Resource) => string;
}

/**
 * Reads the resource of a state; undefined when it is surely gone. A 404 counts only at the base URL and workspace of the
 * state, and a response only from its tenant: an id may be a name that another workspace has given too. One that was created
 * at another time is another one: its own is gone.
 */
export async function findRecorded<Resource>(
  { id, settings, client, clock, log }: Operation,
  state: Props,
  { noun, get, tenantOf = () => "", createdAt, lookUp }: Wanted<Resource>,
): Promise<Resource | undefined> {
  const baseUrl = textOf(state["baseUrl"]);
  const tenantId = textOf(state["tenantId"]);
  const isRecordedTenant = (tenant: string): boolean =>
    tenant.toLowerCase() === tenantId?.toLowerCase();
  const moved = baseUrl !== undefined && baseUrl !== settings.baseUrl;
  const otherWorkspace = tenantId !== undefined && !isRecordedTenant(settings.workspaceId);
  const found = await findSettled(client, clock, state, get).catch((error: unknown) => {
    if (error instanceof Unprocessable && tenantId === undefined && lookUp !== undefined)
      throw new Error(`get ${noun} '${id}': an id is a UUID, and this is none; ${lookUp}`, {
        cause: error,
      });
    throw error;
  });
  const owner = (found && tenantOf(found)) || settings.workspaceId;
  if (found !== undefined && (tenantId === undefined || isRecordedTenant(owner)))
    return createdAt && isTaken({ noun, id, log }, state, createdAt(found)) ? undefined : found;
  if (found === undefined && !moved && !otherWorkspace) return undefined;
  const restore = `restore ${namesIn(settings.source, "baseUrl", "workspaceId")}`;
  throw new Error(
    `find ${noun} '${id}': the state records it at ${baseUrl} in workspace ${tenantId}, ` +
      `but the settings name ${settings.baseUrl} and workspace ${settings.workspaceId}; ` +
      `nothing was changed; ${adviceToConfigure(restore, settings)}`,
  );
}

/** Every replica of a service shows what was created before this. */
const REPLICA_LAG_MS = 3_000;

/**
 * Reads what a state records; undefined where a 404 says that it is gone. A replica may not show yet what was created a
 * moment ago, by the server's clock: such a 404 is checked once more when every replica must show it.
 */
export async function findSettled<Resource>(
  server: { serverTime(): Date | undefined },
  clock: Clock,
  state: Props,
  get: () => Promise<Resource | undefined>,
): Promise<Resource | undefined> {
  const find = () =>
    get().catch((error: unknown) => {
      if (error instanceof NotFound) return undefined;
      throw error;
    });
  const found = await find();
  const createdMs = Date.parse(textOf(state["createdAt"]) ?? "");
  const ageMs = (server.serverTime()?.getTime() ?? NaN) - createdMs;
  if (found !== undefined || !(ageMs < REPLICA_LAG_MS)) return found;
  await clock.sleep(Math.min(REPLICA_LAG_MS - ageMs, REPLICA_LAG_MS));
  return find();
}

/** A server may report a time rounded in one place and cut in another. */
const ROUNDING_MS = 1;

/** Whether another create has taken the id of a state since; a warning says so. */
export function isTaken(
  { noun, id, log }: { noun: string; id: string; log: Context["log"] },
  state: Props,
  createdAt: string,
): boolean {
  if (!isLaterCreate(state, createdAt)) return false;
  log.warn(`keeps ${noun} ${id}: ${TAKEN}`);
  return true;
}

export const TAKEN = "its own was deleted, and another create has taken this id since";

/** Whether what has the id of a state now was created at another time, so that another create has taken the id since. */
export function isLaterCreate(state: Props, createdAt: string): boolean {
  const recorded = Date.parse(textOf(state["createdAt"]) ?? "");
  return Math.abs(Date.parse(createdAt) - recorded) > ROUNDING_MS;
}

/** The resource after a PATCH: its response, or what is read where that does not show it. Either way it was carried out. */
export function patched<Wire>(request: Promise<Wire>, read: () => Promise<Wire>): Promise<Wire> {
  return request.catch((error: unknown) => {
    if (error instanceof InvalidResponseError) return read();
    throw error;
  });
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
