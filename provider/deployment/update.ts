import { hasFailed } from "../../sdk/status";
import { goneError } from "../host/find";
import { jobOf, type Job } from "../host/job";
import { type Context, InitializationFailure } from "../host/serve";
import type { Props } from "../inputs/props";
import { sendPatch, type Change } from "./apply";
import { withIgnoredChanges } from "./ignored";
import { isBeingDeleted } from "./status";
import {
  LISTED_REVISIONS,
  type Observed,
  withHiddenAsUnknown,
  toInputs,
  toOutputs,
} from "./mapping";
import { findDeployment } from "./observe";
import { patchOf } from "./patch";
import { makesRevision, planOf } from "./plan";
import { secretValues } from "./redaction";
import { notRolledBack, rollBack, rollsBack } from "./rollback";
import { openRollout, type Rollout, rolloutOf } from "./rollout-state";
import { outputsOf, awaitRollout } from "./settle";

/**
 * Brings the deployment from the old outputs to the new inputs with at most one PATCH. A revision that was still going
 * is waited for and none is made; one that failed is followed by exactly one new revision.
 */
export async function updateDeployment(
  id: string,
  olds: Props,
  news: Props,
  context: Context,
): Promise<Props> {
  const own = jobOf(id, context);
  const deployment = await findDeployment(own, olds);
  if (deployment === undefined) throw goneError("deployment", String(olds["name"]), id);
  if (isBeingDeleted(deployment.status))
    throw new Error(
      `update deployment '${deployment.name}': ${id} is being deleted on the service; when it is gone, run \`pulumi refresh\`, then \`pulumi up\` makes it anew`,
    );
  const job = { ...own, formerSecrets: secretValues(olds, deployment) };
  const observed = {
    deployment,
    revisions: await job.client.revisions.newest(id, LISTED_REVISIONS),
  };
  const rollout = followedUp(job, openRollout(olds, news), news, observed);
  const made =
    rollout.state === "failed"
      ? await tryAgain(job, olds, news, observed)
      : await sendPatch(job, news, observed, patchOf(olds, news, deployment, false));
  if (made.toFollow)
    return settleOrTakeBack(job, news, made, (failure) => rollBack(job, olds, news, failure));
  if (rollout.state !== "done") {
    const waited = { ...made, revisionId: rollout.revisionId };
    return settleOrTakeBack(job, news, waited, (failure) => notRolledBack(job, failure));
  }
  // Where nothing was sent, what was read a moment ago still holds.
  return made.deployment === deployment
    ? toOutputs(news, observed, rollout, job.settingsInForce.baseUrl)
    : outputsOf(job, news, rollout);
}

/**
 * A newer revision after a failed one, as an update that left no record makes it, stands for the one to make, if it is
 * one of what is declared.
 */
function followedUp(job: Job, rollout: Rollout, news: Props, observed: Observed): Rollout {
  const [newest] = observed.revisions;
  if (rollout.state !== "failed" || newest === undefined || newest.id === rollout.revisionId)
    return rollout;
  if (hasFailed(newest.status) || !hasDeclared(news, observed)) return rollout;
  job.log.info(`revision ${newest.id} came after the failed one: it is followed, and none is made`);
  return { revisionId: newest.id, state: "pending" };
}

function hasDeclared(news: Props, { deployment }: Observed): boolean {
  const seen = toInputs(news, deployment);
  return !makesRevision(planOf(seen, withIgnoredChanges(news, seen)));
}

/** One revision of all that is declared, whatever somebody has put in its place since, as if a refresh had seen it. */
function tryAgain(job: Job, olds: Props, news: Props, observed: Observed): Promise<Change> {
  const seen = toInputs(olds, observed.deployment);
  const shown = withHiddenAsUnknown(seen, observed.deployment);
  const patch = patchOf(shown, withIgnoredChanges(news, seen), observed.deployment, true);
  return sendPatch(job, news, observed, patch);
}

async function settleOrTakeBack(
  job: Job,
  news: Props,
  { deployment, revisionId }: Change,
  takeBack: (failure: InitializationFailure) => Promise<Error> | Error,
): Promise<Props> {
  try {
    return await awaitRollout(job, news, deployment, revisionId);
  } catch (error) {
    if (!(error instanceof InitializationFailure) || !rollsBack(news)) throw error;
    throw rolloutOf(error.properties).state === "failed" ? await takeBack(error) : error;
  }
}
