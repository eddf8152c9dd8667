import type { Observed } from "./observed";
import type { RolloutResult } from "./rollout-result";
import { newRevision, responseTo } from "./send-patch";
import type { Operation } from "../../resource/operation";

/**
 * Requests one more revision of what an earlier one was built from, with the deployment's settings and variables of now.
 * Throws a `NotOfferedError` where the control plane has no such endpoint.
 */
export async function redeploy(
  operation: Operation,
  before: Observed,
  revisionId: string,
): Promise<RolloutResult> {
  const { client, id } = operation;
  const response = await responseTo(client.revisions.redeploy(id, revisionId));
  const { deployment, revisionId: created } = await newRevision(operation, before, response);
  if (created === undefined && response.lost) throw response.lost.error;
  // A service may deploy the old revision itself once more.
  const followed = created ?? deployment.latest_revision_id ?? revisionId;
  return { ...before, deployment, rollout: { revisionId: followed, state: "pending" } };
}
