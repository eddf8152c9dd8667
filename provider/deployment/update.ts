import { ConnectionError, type Deployment, InvalidResponseError, ServerError } from "../../sdk";
import type { Context } from "../process";
import { type Props, recordOf, textOf } from "../props";
import { findDeployment, jobOf, type Job } from "./job";
import { LISTED_REVISIONS, type Observed, type Rollout } from "./mapping";
import { isEmpty, patchOf } from "./patch";
import { outputsOf, settle } from "./settle";

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
  const job = jobOf(id, context);
  const deployment = await findDeployment(job, olds);
  if (deployment === undefined)
    throw new Error(
      `update deployment '${String(olds["name"])}': ${id} does not exist any more; run \`pulumi refresh\`, then \`pulumi up\` makes it anew`,
    );
  const observed = {
    deployment,
    revisions: await job.client.revisions.newest(id, LISTED_REVISIONS),
  };
  const rollout = rolloutOf(olds);
  const made = await applyChange(job, olds, news, observed, rollout.state === "failed");
  if (made.madeRevision) return settle(job, news, made.deployment, made.revisionId);
  if (rollout.state !== "done") return settle(job, news, made.deployment, rollout.revisionId);
  return outputsOf(job, news, rollout);
}

/** The last known rollout; a state that has none is taken for done. */
export function rolloutOf(outputs: Props): Rollout {
  const { revisionId, state } = recordOf(outputs["rollout"]);
  return {
    revisionId: textOf(revisionId) ?? null,
    state: state === "pending" || state === "failed" ? state : "done",
  };
}

/** What a change came to on the service. */
interface Change {
  readonly deployment: Deployment;
  readonly madeRevision: boolean;
  /** The revision that runs the declared state, or will. */
  readonly revisionId: string | null;
}

/** Sends what is missing, once; `again` asks for a new revision though nothing changed. */
export async function applyChange(
  job: Job,
  olds: Props,
  news: Props,
  observed: Observed,
  again: boolean,
): Promise<Change> {
  const { deployment } = observed;
  const patch = patchOf(olds, news, deployment, again);
  const latest = deployment.latest_revision_id ?? observed.revisions[0]?.id ?? null;
  if (isEmpty(patch)) return { deployment, madeRevision: false, revisionId: latest };
  const patched = await send(job, observed, patch.body, patch.makesRevision);
  if (!patch.makesRevision) return { deployment: patched, madeRevision: false, revisionId: latest };
  const revisionId = await newRevision(job, observed, patched);
  return { deployment: patched, madeRevision: true, revisionId: revisionId ?? latest };
}

/** A PATCH without an answer may have arrived: a revision that was not there before tells. It is never sent twice. */
async function send(
  job: Job,
  observed: Observed,
  body: Parameters<Job["client"]["deployments"]["update"]>[1],
  makesRevision: boolean,
): Promise<Deployment> {
  try {
    return await job.client.deployments.update(job.id, body);
  } catch (error) {
    const lost =
      (error instanceof ConnectionError && !error.neverSent) ||
      error instanceof ServerError ||
      error instanceof InvalidResponseError;
    if (!lost || !makesRevision) throw error;
    const deployment = await job.client.deployments.get(job.id);
    if ((await newRevision(job, observed, deployment)) === undefined) throw error;
    return deployment;
  }
}

/** The newest revision, if it was not there before; `latest_revision_id` is asked first, the list when it is silent. */
async function newRevision(
  job: Job,
  { deployment, revisions }: Observed,
  patched: Deployment,
): Promise<string | undefined> {
  const before = new Set([deployment.latest_revision_id, ...revisions.map(({ id }) => id)]);
  const latest = patched.latest_revision_id;
  if (latest && !before.has(latest)) return latest;
  const [newest] = await job.client.revisions.newest(job.id, 1);
  return newest && !before.has(newest.id) ? newest.id : undefined;
}
