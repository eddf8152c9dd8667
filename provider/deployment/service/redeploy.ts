import type { Observed } from "./observed";
import { type Change, newRevision, responseTo } from "./send-patch";
import type { Operation } from "../../resource/operation";

/**
 * Requests one more revision of what an earlier one was built from, with the deployment's settings and variables of now.
 * Throws a `NotOfferedError` where the control plane has no such endpoint.
 */
export async function redeploy(
  operation: Operation,
  before: Observed,
  revisionId: string,
): Promise<Change> {
  const { client, id } = operation;
  const response = await responseTo(client.revisions.redeploy(id, revisionId));
  const { deployment, revisionId: created } = await newRevision(operation, before, response);
  if (created !== undefined) return { deployment, toFollow: true, revisionId: created };
  if (response.lost) throw response.lost.error;
  // A service may deploy the old revision itself once more.
  return { deployment, toFollow: true, revisionId: deployment.latest_revision_id ?? revisionId };
}
