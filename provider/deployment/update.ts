import { BadRequest, Unprocessable } from "../../sdk";
import { hasFailed, isBeingDeleted } from "../../sdk/status";
import { formatError } from "../resource/errors";
import { goneError } from "../resource/find";
import { isIndeterminate } from "../resource/indeterminate-update";
import { type Operation, operationOf } from "../resource/operation";
import type { Context } from "../resource/context";
import type { Props } from "../arguments/props";
import { deploymentArguments } from "./declared/argument-table";
import { type Declared, type Values, withArguments } from "./declared/declared";
import { planOf } from "./declared/plan";
import { foreignRevision } from "./service/revision-order";
import { secretValues } from "./service/redaction";
import { lastGoodOf } from "./rollout/advance";
import { awaitRollout, ofOwnRevision } from "./rollout/await";
import { deletionLines } from "./rollout/failure";
import { hasPassedGate, withoutGate } from "./rollout/gate";
import { rollBack } from "./rollout/rollback";
import { ignoring } from "./service/ignored";
import {
  LISTED_REVISIONS,
  findDeployment,
  observe,
  type Observed,
  observedOf,
} from "./service/observe";
import { merge, withHiddenAsUnknown } from "./service/shown";
import { outputsAfter } from "./service/outputs";
import { type Patch, patchOf } from "./service/patch";
import { GateError, RolloutError, type RolloutResult } from "./service/rollout-result";
import { bringsBack, isBranch } from "./service/revision-source";
import { sendPatch } from "./service/send-patch";
import { openRollout, type Rollout, type State, type Target } from "./declared/state";

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
  const found = await findDeployment(operation, state.outputs);
  if (found === undefined) throw goneError("deployment", String(state.name), id);
  if (isBeingDeleted(found.status)) throw new Error(`update ${deletionLines(found).join("; ")}`);
  const revisions = await operation.client.revisions.newest(id, LISTED_REVISIONS);
  const observed = observedOf(found, revisions);
  const recorded = { id: state.outputs["latestRevisionId"] };
  const foreign = foreignRevision({ ...state.outputs, revisions: [...revisions, recorded] });
  if (foreign !== undefined) operation.log.warn(foreign);
  const formerSecrets = secretValues(state.declared, found);
  const lastGood = await lastGoodOf(operation, state, observed);
  const target: Target = { declared, lastGood, formerSecrets };
  const result = bringToDeclared(operation, target, state, observed).catch((error: unknown) => {
    throw foreign === undefined ? error : withRefresh(error);
  });
  return (await outputsAfter(operation, target, result)).outs;
}

/** What is refused may go with the values of the state, and not with those that another client has set since. */
function withRefresh(error: unknown): unknown {
  if (!(error instanceof BadRequest || error instanceof Unprocessable)) return error;
  const refusal = formatError(error, () => undefined);
  const advice =
    "another client has changed the deployment: run `pulumi refresh`, then `pulumi up`";
  return new Error(`${refusal}; ${advice}`, { cause: error });
}

async function bringToDeclared(
  operation: Operation,
  target: Target,
  state: State,
  observed: Observed,
): Promise<RolloutResult> {
  const { deployment } = observed;
  const withoutIgnored = ignoring(settable(state, target.declared), deployment);
  const [before, after] = [withoutIgnored(comparable(state)), withoutIgnored(target.declared)];
  const rollout = withFollowUp(operation, openRollout(state, target.declared), after, observed);
  const changes = patchOf(planOf(before, after), deployment);
  // A killed rollback may have taken back what the state still has of a revision that failed.
  const revision = observed.revisions.find(({ id }) => id === rollout.revisionId);
  const hasEnded = revision !== undefined && hasFailed(revision.status);
  const isAgain = rollout.state === "failed" || (hasEnded && changes.createsRevision);
  const patch = isAgain ? patchAgain(before, after, observed) : changes;
  const change = await sendPatch(operation, observed, patch);
  if (change.rollout.state === "pending") return awaitOrRollBack(operation, target, change);
  if (rollout.state !== "done") {
    const asked = hasPassedGate(state) ? withoutGate(target.declared) : target.declared;
    return awaitOrRollBack(operation, { ...target, declared: asked }, { ...change, rollout });
  }
  // After an update that sent nothing, the last read still holds.
  if (change.deployment === deployment) return { ...observed, rollout };
  const changed = await observe(operation);
  return { ...ofOwnRevision(operation, change.rollout.revisionId, changed), rollout };
}

/** After an indeterminate update all settings are sent, which no read confirms. */
function comparable({ declared, outputs }: State): Declared {
  if (!isIndeterminate(outputs)) return declared;
  const settings = deploymentArguments.pathsOf("settings");
  return withArguments(declared, Object.fromEntries(settings.map((path) => [path, undefined])));
}

/** What a create could not send yet is no value of another client. */
function settable(state: State, program: Declared): Declared {
  if (state.declared.displayName !== undefined) return program;
  const ignoredPaths = program.ignoredPaths.filter((path) => path !== "displayName");
  return { ...program, ignoredPaths };
}

/**
 * A newer revision after a failed one, as an update that left no record creates it, counts as the one to create, if it
 * has what is declared.
 */
function withFollowUp(
  { log }: Operation,
  rollout: Rollout,
  declared: Declared,
  { deployment, revisions }: Observed,
): Rollout {
  const [newest] = revisions;
  if (rollout.state !== "failed" || newest === undefined || newest.id === rollout.revisionId)
    return rollout;
  // A redeploy builds nothing of the branch, which the declared values ask for.
  if (isBranch(declared) && bringsBack(newest, revisions, rollout.revisionId)) return rollout;
  const seen = withHiddenAsUnknown(merge<Values>(declared, deployment), deployment);
  if (hasFailed(newest.status) || planOf(seen, declared).createsRevision) return rollout;
  log.info(`revision ${newest.id} came after the failed one: it is followed, and none was created`);
  return { revisionId: newest.id, state: "pending" };
}

/** One PATCH for all declared values, compared with the live deployment as if a refresh had seen it. */
function patchAgain(before: Declared, declared: Declared, { deployment }: Observed): Patch {
  const seen = merge<Values>(before, deployment);
  const plan = planOf(withHiddenAsUnknown(seen, deployment), declared);
  return patchOf(plan, deployment, { again: true });
}

async function awaitOrRollBack(
  operation: Operation,
  target: Target,
  accepted: RolloutResult,
): Promise<RolloutResult> {
  try {
    return await awaitRollout(operation, target, accepted);
  } catch (error) {
    const isRolledBack =
      error instanceof RolloutError &&
      target.declared.rollsBack &&
      (error instanceof GateError || error.result.rollout.state === "failed");
    throw isRolledBack ? await rollBack(operation, target, error) : error;
  }
}
