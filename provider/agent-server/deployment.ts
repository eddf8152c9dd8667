import { ConnectionError, type RequestError } from "../../sdk";
import { isBeingDeleted } from "../../sdk/status";
import { urlOf } from "../../shared/agent-server-url";
import { messageOf } from "../../shared/errors";
import { recordOf, textOf } from "../../shared/records";
import { findDeployment } from "../deployment/service/observe";
import { adviceToForget } from "../resource/advice";
import type { Context } from "../resource/context";
import type { Difference } from "../resource/define-lifecycle";
import { operationOf } from "../resource/operation";
import type { Changes } from "../arguments/changes";
import { known } from "../arguments/decode";
import { membersOf, type Props, sameValue, UNKNOWN } from "../arguments/props";
import { addressOf, isSilence, type OnAgentServer } from "./server";

/** The hidden member of a resource's state that names the deployment of its agent server. */
const DEPLOYMENT = "__deployment";

/**
 * The deployment of the agent server as a hidden output: its id, base URL and workspace. Nothing where none is named, or
 * without usable settings. What the state has already stays.
 */
export function deploymentOf(declared: OnAgentServer, context: Context, state: Props = {}): Props {
  const id = known(declared.deploymentId);
  if (id === undefined) return {};
  if (recordOf(state[DEPLOYMENT])["id"] === id) return membersOf(state, [DEPLOYMENT]);
  try {
    const { baseUrl, workspaceId: tenantId } = context.settings();
    return { [DEPLOYMENT]: { id, tenantId, baseUrl } };
  } catch {
    // What is on an agent server itself needs no settings.
    return {};
  }
}

/**
 * The id of the deployment at an address, which the URL of an import does not name; undefined where none is found, or
 * without usable settings.
 */
export async function deploymentServing(
  address: string,
  context: Context,
): Promise<string | undefined> {
  try {
    const { client } = operationOf(context);
    for await (const deployment of client.deployments.list())
      if (urlOf(deployment) === address) return deployment.id;
  } catch {
    // What is on an agent server itself needs no control plane.
  }
  return undefined;
}

/**
 * Whether an agent server that does not respond belongs to a deployment that is gone. Any other agent server may have an
 * outage.
 */
export async function isAbandoned(
  error: unknown,
  olds: OnAgentServer,
  context: Context,
): Promise<boolean> {
  if (!isSilence(error)) return false;
  return (await deploymentNow(olds, context).catch(() => undefined)) === "gone";
}

/** Why nothing is left to delete on an agent server that does not respond. Throws where it may respond again. */
export async function whyAbandoned(
  silence: RequestError,
  olds: OnAgentServer,
  context: Context,
): Promise<string | undefined> {
  const address = addressOf(olds);
  const now = await deploymentNow(olds, context).catch((error: unknown) => {
    const reason = messageOf(error);
    throw keptError(
      silence,
      `could not determine whether its deployment still exists: ${reason}`,
      context,
    );
  });
  if (now === "exists") throw keptError(silence, "its deployment still exists", context);
  if (now === "leaving") return `the deployment at ${address} is being deleted`;
  if (now === "gone") return `the deployment at ${address} no longer exists`;
  const isDead = silence instanceof ConnectionError && silence.nothingThere;
  return isDead ? `nothing responds at ${address}` : undefined;
}

/** Whether this run has deleted the deployment that served an address, and with it all that its agent server kept. */
export function isDeletedWith(olds: OnAgentServer, { processCache }: Context): boolean {
  return processCache.deleted.has(addressOf(olds));
}

/**
 * The fate of the deployment that a state names; undefined where it names none. Throws where that cannot be
 * determined.
 */
async function deploymentNow(
  { props }: OnAgentServer,
  context: Context,
): Promise<"exists" | "leaving" | "gone" | undefined> {
  const recorded = recordOf(props[DEPLOYMENT]);
  const id = textOf(recorded["id"]);
  if (id === undefined) return undefined;
  const deployment = await findDeployment(operationOf(context, id), recorded);
  if (deployment === undefined) return "gone";
  return isBeingDeleted(deployment.status) ? "leaving" : "exists";
}

function keptError(silence: RequestError, because: string, { urn }: Context): Error {
  return new Error(
    `${silence.message}; ${because}; run the same command again when the agent server responds; ${adviceToForget(urn)}`,
    { cause: silence },
  );
}

/**
 * The inputs with the deployment and the URL that they had before, where that is known. The class in TypeScript finds the
 * deployment out, and a stack that goes over to a program in another language shows no change. The engine takes each
 * output of what changes for unknown at a preview, also the URL of a deployment that keeps it.
 */
export function withKeptDeployment(olds: Props, news: Props, context: Context): Props {
  return withKeptUrl(olds, withKeptId(olds, news), context);
}

function withKeptId(olds: Props, news: Props): Props {
  const { deploymentId, deploymentUrl } = olds;
  const isKept =
    news["deploymentId"] === undefined &&
    typeof deploymentId === "string" &&
    sameValue(deploymentUrl, news["deploymentUrl"]);
  return isKept ? { ...news, deploymentId } : news;
}

function withKeptUrl(olds: Props, news: Props, { processCache }: Context): Props {
  const { deploymentUrl, deploymentId } = news;
  if (deploymentUrl !== UNKNOWN || typeof deploymentId !== "string") return news;
  const kept = processCache.keptUrls.get(deploymentId);
  const isSame = kept !== undefined && kept === olds["deploymentUrl"];
  return isSame ? { ...news, deploymentUrl: kept } : news;
}

/**
 * Whether a resource leaves a deployment that this run replaces, with which it is deleted. Of a forced replacement the update
 * shows nothing but the delete.
 */
export function isLost(olds: OnAgentServer, news: OnAgentServer, context: Context): boolean {
  const { deleted, existing, owners, replaced } = context.processCache;
  const id = known(olds.deploymentId) ?? "";
  if (olds.deploymentId === news.deploymentId) return false;
  if (!deleted.has(id) && !replaced.has(owners.otherOwner(id) ?? "")) return false;
  // A diff without a check would have it deleted before the deployment.
  return existing.has(context.urn ?? "");
}

/** The replacement, sure or possible, of what is on an agent server. */
export function replacementOn(of: Changes, loss: string, lost: boolean): Difference | undefined {
  const replaces = lost ? ["deploymentUrl"] : of.replaces;
  const effect = lost ? "deleted first, as all that its agent server keeps" : loss;
  if (replaces.length > 0)
    return {
      result: { replaces, deleteBeforeReplace: true },
      message: `replaced, since ${replaces.join(", ")} can't be changed: ${effect}`,
    };
  if (of.mayReplace.length === 0) return undefined;
  const message = `may be replaced, depending on a value known only during the update (${of.mayReplace.join(", ")}): ${loss}`;
  return { result: {}, message };
}
