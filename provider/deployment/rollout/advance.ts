import { NotFound, type Revision } from "../../../sdk";
import { isDeployed } from "../../../sdk/status";
import { textOf } from "../../../shared/records";
import { known } from "../../arguments/decode";
import type { Operation } from "../../resource/operation";
import { COMMIT } from "../declared/argument-table";
import type { Declared } from "../declared/declared";
import { type LastGood, type Rollout, type State, stateOf, type Target } from "../declared/state";
import type { Observed } from "../service/observe";
import { lastGoodRevision } from "../service/outputs";
import { comesAfter } from "../service/revision-order";
import { otherCommit } from "../service/revision-source";
import { classify } from "../service/status";

/** The rollout advances by the status of its own revision alone, wherever newer ones may stand. */
export async function advance(
  operation: Operation,
  rollout: Rollout,
  { until, smokeCheck }: Declared,
  { deployment, revisions, commit }: Observed & Pick<Target, "commit">,
): Promise<Rollout> {
  // A revision that failed stays failed; only the next update knows what became of the one requested.
  if (rollout.state !== "pending" || rollout.revisionId === null) return rollout;
  const revision = await revisionOf(operation, rollout.revisionId, revisions);
  if (revision === undefined) return rollout;
  const { status } = revision;
  if (otherCommit(revision, commit) !== undefined) return { ...rollout, state: "failed" };
  const active = textOf(deployment.active_revision_id);
  const isActive =
    isDeployed(status) &&
    active !== undefined &&
    (active === rollout.revisionId || (await comesAfter(operation, active, rollout.revisionId)));
  const { state } = classify({
    status,
    until: until === "none" ? "deployed" : until,
    isActive,
    deployedForMs: 0,
  });
  // The next update runs the smoke check.
  if (state === "failed" || (state === "done" && known(smokeCheck) === undefined))
    return { ...rollout, state };
  return { ...rollout, state: "pending" };
}

/**
 * What an update goes back to: what the state has recorded, or the revision that it was still waiting for and its values,
 * where that one serves by now as a refresh would find.
 */
export async function lastGoodOf(
  operation: Operation,
  { outputs, rollout, declared, lastGood }: State,
  observed: Observed,
): Promise<LastGood> {
  const revisions = observed.revisions.filter(({ id }) => id === rollout.revisionId);
  if (rollout.state !== "pending" || revisions.length === 0) return lastGood;
  const expected = { ...observed, commit: known(declared[COMMIT]) };
  const advanced = await advance(operation, rollout, declared, expected);
  if (advanced.state !== "done") return lastGood;
  const revision = lastGoodRevision({ revisions, rollout: advanced }, lastGood.revision);
  return stateOf({ ...outputs, rollout: advanced, lastGoodRevision: revision }).lastGood;
}

async function revisionOf(
  operation: Operation,
  revisionId: string,
  revisions: Observed["revisions"],
): Promise<Revision | undefined> {
  const listed = revisions.find(({ id }) => id === revisionId);
  if (listed !== undefined) return listed;
  try {
    return await operation.client.revisions.get(operation.id, revisionId);
  } catch (error) {
    // A revision that is not there is no sign that the deployment is gone.
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
