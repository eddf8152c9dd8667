import { type Clock, NotFound, Unprocessable } from "../../sdk";
import { isCarriedOut, isGone } from "../../sdk/errors";
import { textOf } from "../../shared/records";
import { quoted } from "../../shared/shell";
import type { Settings } from "../../settings/settings";
import { namesOf } from "../../settings/advice";
import type { Props } from "../arguments/props";
import { adviceToConfigure, adviceToForget } from "./advice";
import type { Context } from "./context";
import type { Operation } from "./operation";
import { momentIn } from "../../shared/moment";

/** A resource of a control plane, and how to read it. */
interface Wanted<Resource> {
  /** Its name in errors: `deployment`. */
  readonly noun: string;
  readonly get: () => Promise<Resource | undefined>;
  /** Finds its id, a UUID, by a name, which people take for one. @default there is no such way */
  readonly lookUp?: string;
  /** The workspace that owns it. @default the one of the request, where a response names none */
  readonly tenantOf?: (resource: Resource) => string;
}

/**
 * Reads the resource of a state; undefined when it is surely gone. A 404 counts only at the base URL and workspace of the
 * state, and a response only from its tenant: an id may be a name that another workspace has given too.
 */
export async function findRecorded<Resource>(
  { id, settings, clock, urn }: Operation,
  state: Props,
  { noun, get, tenantOf = () => "", lookUp }: Wanted<Resource>,
): Promise<Resource | undefined> {
  const baseUrl = textOf(state["baseUrl"]);
  const tenantId = textOf(state["tenantId"]);
  const moved = baseUrl !== undefined && baseUrl !== settings.baseUrl;
  const found = await findSettled(clock, get).catch((error: unknown) => {
    if (error instanceof Unprocessable && tenantId === undefined && lookUp !== undefined)
      throw new Error(`get ${noun} '${id}': an id is a UUID, and this is none; ${lookUp}`, {
        cause: error,
      });
    throw error;
  });
  const owner = (found && tenantOf(found)) || settings.workspaceId;
  if (found !== undefined && !isOutside(owner, state)) return found;
  if (found === undefined && !moved && !isOutside(settings.workspaceId, state)) return undefined;
  throw elsewhereError(`find ${noun} '${id}'`, state, settings, urn);
}

/** What a state records of where a thing is while there is no response yet. */
export function placeOf({ baseUrl, workspaceId: tenantId }: Settings): Props {
  return { baseUrl, tenantId };
}

/** Throws where settings name another place than the state records: what has a name there is another thing. */
export function refuseElsewhere(task: string, state: Props, { settings, urn }: PlaceContext): void {
  if (state["tenantId"] === undefined) return;
  const now = settings();
  if (state["baseUrl"] !== now.baseUrl || isOutside(now.workspaceId, state))
    throw elsewhereError(task, state, now, urn);
}

type PlaceContext = Pick<Context, "settings" | "urn">;

function elsewhereError(task: string, state: Props, settings: Settings, urn?: string): Error {
  const restore = adviceToConfigure(restorationOf(settings), settings, PLACE);
  return new Error(
    `${task}: ${differenceOf(state, settings)}; nothing was changed; ${restore}; ${adviceToForget(urn)}`,
  );
}

/** The warning of a change by settings that name another workspace than the state; undefined where they do not. */
export function workspaceWarning(
  state: Props,
  settings: Settings,
  urn = "<urn>",
): string | undefined {
  if (!isOutside(settings.workspaceId, state)) return undefined;
  const another = `to create another one with these settings, remove it from the state with \`pulumi state delete ${quoted(urn)}\`, which leaves it where it is`;
  return `${differenceOf(state, settings)}; it stays there, and the next refresh or update of it fails; ${restorationOf(settings)}, or its option \`provider\`; ${another}`;
}

const PLACE = ["baseUrl", "workspaceId"];

/** Whether a workspace is another one than that of a state. */
function isOutside(workspace: string, state: Props): boolean {
  const recorded = textOf(state["tenantId"]);
  return recorded !== undefined && recorded.toLowerCase() !== workspace.toLowerCase();
}

function differenceOf({ baseUrl, tenantId }: Props, settings: Settings): string {
  return (
    `the state records it at ${textOf(baseUrl)} in workspace ${textOf(tenantId)}, ` +
    `but the settings name ${settings.baseUrl} and workspace ${settings.workspaceId}`
  );
}

function restorationOf(settings: Settings): string {
  return `restore ${namesOf(settings, ...PLACE)}`;
}

/** Every replica of a service shows what was created before this. */
const REPLICA_LAG_MS = 3_000;

/** Reads what must be there. A 404 may be the slip of one replica: it counts where a second look has it too. */
export function readSettled<Resource>(
  clock: Clock,
  get: () => Promise<Resource>,
): Promise<Resource> {
  return get().catch(async (error: unknown) => {
    if (!isGone(error)) throw error;
    await clock.sleep(REPLICA_LAG_MS);
    return get();
  });
}

/** Reads what a state records; undefined where two looks say that it is gone. `reach` throws where the second says nothing. */
export async function findSettled<Resource>(
  clock: Clock,
  get: () => Promise<Resource | undefined>,
  reach?: () => Promise<unknown>,
): Promise<Resource | undefined> {
  const find = () =>
    get().catch((error: unknown) => {
      if (error instanceof NotFound) return undefined;
      throw error;
    });
  return findTwice(clock, find, reach);
}

/** Finds something in a list, whose own 404 says nothing of it; undefined where two looks do not show it. */
export async function findTwice<Resource>(
  clock: Clock,
  find: () => Promise<Resource | undefined>,
  beforeSecond: () => Promise<unknown> = async () => undefined,
): Promise<Resource | undefined> {
  return (await find()) ?? clock.sleep(REPLICA_LAG_MS).then(beforeSecond).then(find);
}

/** A server may report a time rounded in one place and cut in another. */
const ROUNDING_MS = 1;

/** Whether another create has used the id of a state since, with a warning. */
export function isTaken(
  noun: string,
  { id, log }: Pick<Operation, "id" | "log">,
  state: Props,
  createdAt: string,
): boolean {
  if (!isLaterCreate(state, createdAt)) return false;
  log.warn(`keeps ${noun} ${id}: ${TAKEN}`);
  return true;
}

export const TAKEN = "its own was deleted, and another create has taken this id since";

/** Whether what has the id of a state now was created at another time, so that another create has used the id since. */
export function isLaterCreate(state: Props, createdAt: string): boolean {
  const recorded = momentIn(textOf(state["createdAt"]) ?? "");
  return Math.abs(momentIn(createdAt) - recorded) > ROUNDING_MS;
}

/** The resource after a PATCH that was carried out: its response, or what is read where that does not show it. */
export function patched<Wire>(request: Promise<Wire>, read: () => Promise<Wire>): Promise<Wire> {
  return request.catch((error: unknown) => {
    if (isCarriedOut(error)) return read();
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
