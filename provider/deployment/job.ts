import { type ControlPlane, type Deployment, NotFound } from "../../sdk";
import type { Context } from "../process";
import { type Props, textOf } from "../props";
import { controlPlaneOf, type Settings } from "../settings";
import { LISTED_REVISIONS, type Observed } from "./mapping";

/** One operation on one deployment: its control plane and the things it works with. */
export interface Job extends Context {
  readonly id: string;
  readonly client: ControlPlane;
  readonly settingsInForce: Settings;
}

export function jobOf(id: string, context: Context): Job {
  const settingsInForce = context.settings();
  return { ...context, id, settingsInForce, client: controlPlaneOf(settingsInForce) };
}

/** Reads a deployment and its newest revisions. */
export async function observe({ client, id }: Job): Promise<Observed> {
  const deployment = await client.deployments.get(id);
  const revisions = await client.revisions.newest(id, LISTED_REVISIONS);
  return { deployment, revisions };
}

/**
 * Reads the deployment that the state speaks of; undefined when it is surely gone. A 404 is believed only where the
 * state says that it lives, and an answer from another address only when it is the same tenant's.
 */
export async function findDeployment(job: Job, state: Props): Promise<Deployment | undefined> {
  const { client, id, settingsInForce: settings } = job;
  const baseUrl = textOf(state["baseUrl"]);
  const tenantId = textOf(state["tenantId"]);
  const moved = baseUrl !== undefined && baseUrl !== settings.baseUrl;
  const otherWorkspace =
    tenantId !== undefined && tenantId.toLowerCase() !== settings.workspaceId.toLowerCase();
  try {
    const deployment = await client.deployments.get(id);
    if (!moved || deployment.tenant_id === tenantId) return deployment;
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    if (!moved && !otherWorkspace) return undefined;
  }
  throw new Error(
    `find deployment '${id}': the state says that it lives at ${baseUrl} in workspace ${tenantId}, ` +
      `but the settings name ${settings.baseUrl} and workspace ${settings.workspaceId}; ` +
      "set agentserver:baseUrl and agentserver:workspaceId back, nothing was changed",
  );
}
