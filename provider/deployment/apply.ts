import { type Deployment, InvalidResponseError, mayHaveArrived } from "../../sdk";
import type { Job } from "../job";
import type { Props } from "../props";
import type { Observed } from "./mapping";
import { isEmpty, patchOf } from "./patch";
import { makesRevision, planOf } from "./plan";

/** What a change came to on the service. */
export interface Change {
  readonly deployment: Deployment;
  /** Whether the change comes to a revision, made now or by an update that left no record. */
  readonly toFollow: boolean;
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
  if (isEmpty(patch)) {
    const toFollow = makesRevision(planOf(olds, news));
    // The preview spoke of a new revision.
    if (toFollow) job.log.info(`revision ${latest} has these values already: none is made`);
    return { deployment, toFollow, revisionId: latest };
  }
  const patched = await send(job, observed, patch.body, patch.makesRevision);
  if (!patch.makesRevision) return { deployment: patched, toFollow: false, revisionId: latest };
  const revisionId = await newRevision(job, observed, patched);
  return { deployment: patched, toFollow: true, revisionId: revisionId ?? latest };
}

/** A PATCH without an answer may have arrived: a revision that was not there before tells. It is never sent twice. */
async function send(
  job: Job,
  observed: Observed,
  body: Parameters<Job["client"]["deployments"]["update"]>[1],
  triggers: boolean,
): Promise<Deployment> {
  try {
    return await job.client.deployments.update(job.id, body);
  } catch (error) {
    // What a PATCH answers is not shown in the contract: a success without a deployment in it is one all the same.
    const accepted = error instanceof InvalidResponseError;
    if (!accepted && !(mayHaveArrived(error) && triggers)) throw error;
    const deployment = await job.client.deployments.get(job.id);
    if (accepted) return deployment;
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
