import { requestDeletion } from "../../sdk/deletion";
import { isBeingDeleted } from "../../sdk/status";
import { textOf } from "../../shared/records";
import { operationOf } from "../resource/operation";
import type { Context } from "../resource/context";
import { obstacleToDeletion } from "./conversations";
import { waitUntilGone } from "./service/deletion";
import { findDeployment } from "./service/observe";
import type { State } from "./declared/state";

/**
 * Deletes the deployment and waits until it is gone; one that is gone or being deleted already is fine. A deployment that
 * another resource has adopted stays, unless that one is replaced: after a rename with an alias it is the same resource,
 * and the engine deletes what it had under the old URN. Throws where another resource was to adopt it and could not: it
 * would be in no state.
 */
export async function deleteDeployment(id: string, state: State, context: Context): Promise<void> {
  const { deleted, owners, replaced } = context.processCache;
  const urn = owners.currentUrn(id, context.urn);
  const owner = owners.otherOwner(id, urn);
  if (owner !== undefined && !replaced.has(owner))
    return context.log.warn(`keeps deployment ${id}: it belongs to ${owner}`);
  const { name = "" } = state;
  const conflicting = owners.unfinishedCreate(name, urn);
  if (conflicting !== undefined && !owners.isOwner(id, urn))
    throw new Error(
      `delete deployment '${name}' (${id}): ${conflicting} has the same name, and its create has not succeeded; nothing was deleted; fix that create, then run \`pulumi up\` again`,
    );
  const operation = operationOf(context, id);
  const deployment = await findDeployment(operation, state.outputs);
  // A 404 may be the slip of one replica: it counts as the answer to a DELETE, which can be repeated.
  const isLeaving = isBeingDeleted(deployment?.status);
  if (deployment !== undefined && !isLeaving) {
    const obstacle = await obstacleToDeletion(operation, state.declared, deployment);
    if (obstacle !== undefined)
      throw new Error(`delete deployment '${name}' (${id}): protectThreads ${obstacle}`);
  }
  const isAccepted = isLeaving || (await requestDeletion(operation.client, id));
  const { timeoutSeconds } = state.declared;
  await waitUntilGone(operation, timeoutSeconds, `delete deployment '${name}' (${id})`, isAccepted);
  deleted.add(id).add(textOf(state.outputs["url"]) ?? id);
}
