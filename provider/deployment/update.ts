import type { Revision } from "../../sdk";
import { hasFailed, isBeingDeleted } from "../../sdk/status";
import { textOf } from "../../shared/records";
import { goneError } from "../kind/find";
import { operationOf } from "../kind/operation";
import type { Context } from "../kind/context";
import { InitializationFailure } from "../kind/initialization-failure";
import type { Props } from "../arguments/props";
import { awaitRollout } from "./rollout/await";
import type { Declared } from "./declared/declared";
import { withIgnoredChanges } from "./declared/ignored";
import { findDeployment, observe } from "./service/observe";
import { merge, type Observed, withHiddenAsUnknown } from "./service/observed";
import { LISTED_REVISIONS } from "./service/outputs";
import { patchOf } from "./service/patch";
import { comesToRevision, planOf } from "./declared/plan";
import { rollBack } from "./rollout/rollback";
import { type Change, sendPatch } from "./service/send-patch";
import { openRollout, type Rollout, rolloutOf, type State } from "./state";
import { outputsOf, secretValues, type Target } from "./target";

/**
 * Brings the deployment from the old outputs to the new inputs with at most one PATCH. A revision that was still going
 * is waited for and none is created; one that failed is followed by exactly one new revision.
 */
export async function updateDeployment(
  id: string,
  state: State,
  declared: Declared,
  context: Context,
): Promise<Props> {
  const operation = operationOf(context, id);
  const deployment = await findDeployment(operation, state.outputs);
  if (deployment === undefined) throw goneError("deployment", String(state.name), id);
  if (isBeingDeleted(deployment.status)) throw beingDeleted(deployment.name, id);
  const formerSecrets = secretValues(state.declared, deployment);
  const target: Target = { ...operation, formerSecrets, declared, lastGood: state.lastGood };
  const revisions = await operation.client.revisions.newest(id, LISTED_REVISIONS);
  warnOfForeign(target, state, revisions);
  return bringToDeclared(target, state, { deployment, revisions });
}

/** A revision that the state does not know, and that no push explains: what it has beside the declared values stays. */
function warnOfForeign(
  { log, declared }: Target,
  state: State,
  revisions: readonly Revision[],
): void {
  const known = textOf(state.outputs["latestRevisionId"]);
  const [newest] = revisions;
  const followsPushes = [state.declared, declared].some(
    ({ "sourceConfig.buildOnPush": isBuilt }) => isBuilt === true,
  );
  if (known === undefined || newest === undefined || newest.id === known || followsPushes) return;
  log.warn(
    `revision ${newest.id} was created elsewhere since the last update, or by an update that was interrupted: ` +
      "this update changes what the program has changed, and the variables as a whole; " +
      "`pulumi refresh` shows what else differs. A deployment belongs in one stack only",
  );
}

function beingDeleted(name: string, id: string): Error {
  return new Error(
    `update deployment '${name}': ${id} is being deleted on the control plane; once it is gone, run \`pulumi refresh\`, then \`pulumi up\` to recreate it`,
  );
}

async function bringToDeclared(target: Target, state: State, observed: Observed): Promise<Props> {
  const plan = planOf(state.declared, target.declared);
  const rollout = followedUp(target, openRollout(state, target.declared), observed);
  const change =
    rollout.state === "failed"
      ? await tryAgain(target, state, observed)
      : await sendPatch(target, observed, patchOf(plan, observed.deployment));
  if (change.toFollow) return awaitOrRollBack(target, change);
  if (rollout.state !== "done")
    return awaitOrRollBack(target, { ...change, revisionId: rollout.revisionId });
  // Where nothing was sent, what was read a moment ago still holds.
  const isUnchanged = change.deployment === observed.deployment;
  return outputsOf(target, isUnchanged ? observed : await observe(target), rollout);
}

/**
 * A newer revision after a failed one, as an update that left no record creates it, counts as the one to create, if it
 * has what is declared.
 */
function followedUp(target: Target, rollout: Rollout, observed: Observed): Rollout {
  const [newest] = observed.revisions;
  if (rollout.state !== "failed" || newest === undefined || newest.id === rollout.revisionId)
    return rollout;
  if (hasFailed(newest.status) || !hasDeclared(target, observed)) return rollout;
  target.log.info(
    `revision ${newest.id} came after the failed one: it is followed, and none is created`,
  );
  return { revisionId: newest.id, state: "pending" };
}

function hasDeclared({ declared }: Target, { deployment }: Observed): boolean {
  const seen = merge(declared, deployment);
  return !comesToRevision(planOf(seen, withIgnoredChanges(declared, seen)));
}

/** One revision of all that is declared, whatever somebody else has set since, as if a refresh had seen it. */
function tryAgain(target: Target, { declared }: State, observed: Observed): Promise<Change> {
  const { deployment } = observed;
  const seen = merge(declared, deployment);
  const shown = withHiddenAsUnknown(seen, deployment);
  const plan = planOf(shown, withIgnoredChanges(target.declared, seen));
  return sendPatch(target, observed, patchOf(plan, deployment, true));
}

async function awaitOrRollBack(target: Target, { deployment, revisionId }: Change): Promise<Props> {
  try {
    return await awaitRollout(target, deployment, revisionId);
  } catch (error) {
    const isRolledBack =
      error instanceof InitializationFailure &&
      target.declared.rollsBack &&
      rolloutOf(error.properties).state === "failed";
    throw isRolledBack ? await rollBack(target, error) : error;
  }
}
