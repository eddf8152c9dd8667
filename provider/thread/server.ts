import { AgentServer, type Clock, ConnectionError, ServerError } from "../../sdk";
import { isBeingDeleted } from "../deployment/status";
import { findDeployment } from "../deployment/observe";
import { operationOf } from "../host/operation";
import type { Context } from "../host/context";
import { recordOf, textOf } from "../../shared/records";
import { membersOf, type Props } from "../inputs/props";

/** The agent server that a thread's properties name. */
export function serverOf(props: Props, clock: Clock): AgentServer {
  return new AgentServer({ url: addressOf(props), apiKey: textOf(props["apiKey"]), clock });
}

export function addressOf(props: Props): string {
  return textOf(props["deploymentUrl"]) ?? "";
}

/** Where a thread's state keeps the deployment whose agent server it is on. */
const DEPLOYMENT = "__deployment";

/**
 * The deployment that is named as the one of this agent server, as a hidden output: what its id, base URL and workspace are.
 * Nothing where none is named, or without usable settings. What the state knows already stays.
 */
export function deploymentOf(props: Props, context: Context, state: Props = {}): Props {
  const id = textOf(props["deploymentId"]);
  if (id === undefined) return {};
  if (recordOf(state[DEPLOYMENT])["id"] === id) return membersOf(state, [DEPLOYMENT]);
  try {
    const { baseUrl, workspaceId: tenantId } = context.settings();
    return { [DEPLOYMENT]: { id, tenantId, baseUrl } };
  } catch {
    // The thread itself needs no settings.
    return {};
  }
}

/**
 * What has become of the deployment that an agent server was of when the state was written; undefined where the state names
 * none. An error says that nobody can tell.
 */
export async function deploymentNow(
  props: Props,
  context: Context,
): Promise<"there" | "leaving" | "gone" | undefined> {
  const recorded = recordOf(props[DEPLOYMENT]);
  const id = textOf(recorded["id"]);
  if (id === undefined) return undefined;
  const deployment = await findDeployment(operationOf(context, id), recorded);
  if (deployment === undefined) return "gone";
  return isBeingDeleted(deployment.status) ? "leaving" : "there";
}

/**
 * Whether an agent server that does not answer belongs to no deployment any more: its address is dead, or what leads to
 * it fails, and the deployment that it was of is gone. Of any other agent server nobody can tell: it may have an outage.
 */
export async function isAbandoned(
  error: unknown,
  props: Props,
  context: Context,
): Promise<boolean> {
  if (!isSilence(error)) return false;
  return (await deploymentNow(props, context).catch(() => undefined)) === "gone";
}

/** No answer of an agent server: the connection fails, or a gateway in front of it does. */
export function isSilence(error: unknown): error is ConnectionError | ServerError {
  return error instanceof ConnectionError || error instanceof ServerError;
}
