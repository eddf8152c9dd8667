import { type Deployment, isAmbiguous } from "../../../sdk";
import { isCarriedOut } from "../../../sdk/errors";
import { isReserved } from "../../../shared/reserved-names";
import { controlPlaneAdvice } from "../../resource/advice";
import { formatError } from "../../resource/errors";
import { patched, readSettled } from "../../resource/find";
import { sendChange } from "../../resource/indeterminate-update";
import type { Operation } from "../../resource/operation";
import { searches } from "../../resource/post-once";
import { describeNames } from "../declared/environment";
import { asShown, latestOf, LISTED_REVISIONS, type Observed } from "./observe";
import { reflects } from "./shown";
import { isEmpty, type Patch } from "./patch";
import { refuseUpdate } from "../declared/refusals";
import { RolloutError, type RolloutResult } from "./rollout-result";

/**
 * Sends a PATCH once, if there is anything to send. The roll-out is pending where there is a revision to wait for, which this
 * PATCH created or an update that left no record. Throws before where the service has no way to do what is declared.
 */
export async function sendPatch(
  operation: Operation,
  observed: Observed,
  patch: Patch,
): Promise<RolloutResult> {
  refuseUpdate(patch.plan, operation.settings.dialect);
  const latest = latestOf(observed);
  const state = patch.plansRevision ? "pending" : "done";
  // The preview announced a new revision.
  if (patch.plansRevision && !patch.createsRevision)
    operation.log.info(`revision ${latest} has these values already: none was created`);
  const before = { ...observed, rollout: { revisionId: latest, state } } as const;
  if (isEmpty(patch)) return before;
  const { client, clock, id, urn } = operation;
  const request = client.deployments.update(id, patch.body, { resource: urn });
  if (!patch.createsRevision) {
    const read = () => readSettled(clock, () => client.deployments.get(id));
    return { ...before, deployment: await sendChange(() => patched(request, read)) };
  }
  const response = await responseTo(request);
  const found = await newRevision(operation, observed, response).catch((error: unknown) => {
    throw indeterminate(operation, observed, error);
  });
  if (response.lost && (found.revisionId === undefined || !reflects(found.deployment, patch.body)))
    throw response.lost.error;
  confirmCleared(patch, { ...observed, deployment: found.deployment });
  const { deployment } = found;
  // A service that takes an empty list for "leave it as it is" creates none.
  const revisionId = found.revisionId ?? (patch.body.secrets?.length === 0 ? latest : undefined);
  if (revisionId === undefined) throw indeterminate(operation, observed, new Error(UNSEEN));
  return { ...observed, deployment, rollout: { revisionId, state: "pending" } };
}

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

/** The response to a request for a revision; `lost` where it may have arrived without one. */
export interface RevisionResponse {
  readonly deployment?: Deployment;
  readonly lost?: { readonly error: unknown };
}

/** The response to a request for a revision. Throws where it surely did nothing. */
export async function responseTo(request: Promise<Deployment>): Promise<RevisionResponse> {
  try {
    return { deployment: await request };
  } catch (error) {
    // The contract does not show what a PATCH responds with: a success without a deployment in it is a success.
    if (isCarriedOut(error)) return {};
    if (!isAmbiguous(error)) throw error;
    return { lost: { error } };
  }
}

/**
 * The deployment after a request, and the revision that it has created, the first one that was not there before. A replica
 * may show it late: after a response it is looked for several times, as after a POST.
 */
export async function newRevision(
  operation: Operation,
  { deployment, revisions }: Observed,
  response: RevisionResponse,
) {
  const { client, clock, id } = operation;
  const before = new Set([deployment.latest_revision_id, ...revisions.map((known) => known.id)]);
  const isNew = (revision: string | null | undefined) => !!revision && !before.has(revision);
  const newOf = ({ latest_revision_id: latest }: Deployment) => (isNew(latest) ? latest : null);
  const read = async () =>
    asShown(operation, await readSettled(clock, () => client.deployments.get(id)));
  let after = response.deployment ?? (await read());
  let revisionId = response.deployment && newOf(after);
  if (revisionId) return { deployment: after, revisionId };
  for await (const pauseMs of searches(clock, response.lost && [0])) {
    if (pauseMs > 0) after = await read();
    // What came after the request is another client's.
    const listed = await readSettled(clock, () => client.revisions.newest(id, LISTED_REVISIONS));
    revisionId = listed.findLast((revision) => isNew(revision.id))?.id ?? newOf(after);
    if (revisionId) break;
  }
  return { deployment: response.deployment ?? after, revisionId: revisionId ?? undefined };
}

const UNSEEN = "the control plane accepted the change, and shows no new revision";

/**
 * Whether the revision was created cannot be confirmed. The state is the one after a failure of the revision before: the
 * next update follows a newer one that has what is declared, and else creates it. So nothing is created twice or lost.
 */
function indeterminate({ settings }: Operation, observed: Observed, error: unknown): RolloutError {
  return new RolloutError(failedAt(observed), [
    `deployment '${observed.deployment.name}': requested a new revision but could not confirm that it was created: ${formatError(error, controlPlaneAdvice(settings))}`,
    "run `pulumi up` again; it follows that revision, or creates it if it was not created",
  ]);
}

/** A service may take an empty list for "leave it as it is", and say nothing of it. */
function confirmCleared({ body }: Patch, observed: Observed): void {
  const { deployment } = observed;
  const names = (deployment.secrets ?? []).map(({ name }) => name);
  const left = names.filter((name) => !isReserved(name));
  if (body.secrets?.length !== 0 || left.length === 0) return;
  throw new RolloutError(failedAt(observed), [
    `deployment '${deployment.name}': the service still has ${describeNames(left)} after an empty list of secrets`,
    "declare what is to stay, or replace the deployment with `pulumi up --replace`, which deletes its threads and database",
  ]);
}

function failedAt(observed: Observed): RolloutResult {
  return { ...observed, rollout: { revisionId: latestOf(observed), state: "failed" } };
}
