import { type Deployment, InvalidResponseError, isAmbiguous } from "../../sdk";
import type { Operation } from "../host/operation";
import { InitializationFailure } from "../host/initialization-failure";
import type { Props } from "../inputs/props";
import { unknownReasons } from "./failure";
import { type Observed, reflects, toOutputs } from "./mapping";
import { isEmpty, type Patch } from "./patch";

/** What a change came to on the service. */
export interface Change {
  readonly deployment: Deployment;
  /** Whether the change comes to a revision, made now or by an update that left no record. */
  readonly toFollow: boolean;
  /** The revision that runs the declared state, or will. */
  readonly revisionId: string | null;
}

/** Sends what is missing, once; `inputs` are what the state holds should nobody know whether it was done. */
export async function sendPatch(
  job: Operation,
  inputs: Props,
  observed: Observed,
  patch: Patch,
): Promise<Change> {
  const { deployment } = observed;
  const latest = latestOf(observed);
  if (isEmpty(patch)) {
    // The preview spoke of a new revision.
    if (patch.plansRevision)
      job.log.info(`revision ${latest} has these values already: none is made`);
    return { deployment, toFollow: patch.plansRevision, revisionId: latest };
  }
  const answer = await send(job, patch);
  if (!patch.makesRevision) {
    const patched = answer.deployment ?? (await job.client.deployments.get(job.id));
    return { deployment: patched, toFollow: false, revisionId: latest };
  }
  const made = await lookFor(job, observed, answer).catch((error: unknown) => {
    throw unknownChange(job, inputs, observed, error);
  });
  if (answer.lost && (made.revisionId === undefined || !reflects(made.deployment, patch.body)))
    throw answer.lost.error;
  return { ...made, toFollow: true, revisionId: made.revisionId ?? latest };
}

/** What a PATCH answered; `lost` where nobody knows whether it arrived. */
interface Answer {
  readonly deployment?: Deployment;
  readonly lost?: { readonly error: unknown };
}

/** Throws where the PATCH surely did nothing, or where sending it once more does no harm. */
async function send({ client, id }: Operation, { body, makesRevision }: Patch): Promise<Answer> {
  try {
    return { deployment: await client.deployments.update(id, body) };
  } catch (error) {
    // What a PATCH answers is not shown in the contract: a success without a deployment in it is one all the same.
    if (error instanceof InvalidResponseError) return {};
    if (!makesRevision || !isAmbiguous(error)) throw error;
    return { lost: { error } };
  }
}

/** The deployment after the PATCH, and the newest revision if it was not there before. */
async function lookFor(job: Operation, { deployment, revisions }: Observed, answer: Answer) {
  const patched = answer.deployment ?? (await job.client.deployments.get(job.id));
  const before = new Set([deployment.latest_revision_id, ...revisions.map(({ id }) => id)]);
  const latest = patched.latest_revision_id;
  if (latest && !before.has(latest)) return { deployment: patched, revisionId: latest };
  const [newest] = await job.client.revisions.newest(job.id, 1);
  const revisionId = newest && !before.has(newest.id) ? newest.id : undefined;
  return { deployment: patched, revisionId };
}

/**
 * The state as after a failure of the revision before: the next update follows one that came after it, if it is of what
 * is declared, and else makes it. So nothing is made twice, and nothing is lost.
 */
function unknownChange(job: Operation, inputs: Props, observed: Observed, error: unknown) {
  const rollout = { revisionId: latestOf(observed), state: "failed" } as const;
  const outputs = toOutputs(inputs, observed, rollout, job.settings.baseUrl);
  const reasons = unknownReasons(job, inputs, observed.deployment, error);
  return new InitializationFailure(job.id, outputs, reasons);
}

function latestOf({ deployment, revisions }: Observed): string | null {
  return deployment.latest_revision_id ?? revisions[0]?.id ?? null;
}
