import { type Deployment, NotFound } from "../../../sdk";
import { isBeingDeleted } from "../../../sdk/status";
import { type PollResult, pollSignal, waitFor } from "../../../sdk/wait";
import { readSettled } from "../../resource/find";
import type { Operation } from "../../resource/operation";
import { type Progress, progressOf } from "../../resource/progress";
import { known } from "../../arguments/decode";
import { COMMIT } from "../declared/argument-table";
import { timeoutMsOf } from "../service/deletion";
import { observe } from "../service/observe";
import type { Observed } from "../service/observed";
import { GateFailed, type Reached, Unreached } from "../service/reached";
import { foreignRevision } from "../preview";
import { urlOf } from "../service/service-outputs";
import type { Rollout } from "../state";
import type { Target } from "../target";
import {
  deletionLines,
  failureLines,
  gateLines,
  interruptedLines,
  smokeCheckLines,
} from "./failure";
import { followRevision } from "./follow";
import { deploymentGateFailure } from "./gate";
import { lastLineOf } from "./last-line";
import { smokeCheckFailure } from "./smoke-check";

/** A deployment that the service has accepted. */
export interface Accepted {
  readonly deployment: Deployment;
  /** The revision that runs the declared state, or will. */
  readonly revisionId: string | null;
  /** Whether this operation has created the deployment. @default false */
  readonly isNew?: boolean;
}

/**
 * Waits for a revision that the service has accepted. From here on every failure keeps the deployment: it is thrown as
 * `Unreached`, and `rollout` says whether the next update waits on or creates a new revision.
 */
export async function awaitRollout(
  operation: Operation,
  target: Target,
  { deployment: accepted, revisionId, isNew = false }: Accepted,
): Promise<Reached> {
  const { until, timeoutSeconds } = target.declared;
  const deadline = operation.clock.now() + timeoutMsOf(operation, timeoutSeconds);
  const timeLeftMs = (): number => deadline - operation.clock.now();
  try {
    if (until === "none") {
      const observed = ofOwnRevision(operation, revisionId, await observe(operation));
      return { observed, rollout: { revisionId, state: "done" } };
    }
    const progress = progressOf(operation);
    const followed = revisionId ?? (await firstRevision(operation, timeLeftMs(), progress));
    const lastLine = lastLineOf(operation, target, accepted);
    const commit = target.commit ?? known(target.declared[COMMIT]);
    const following = { commit, until, timeoutMs: timeLeftMs(), lastLine, progress };
    const outcome = await followRevision(operation, followed, following);
    if (outcome.warning !== undefined) operation.log.warn(outcome.warning);
    const rollout: Rollout = { revisionId: followed, state: outcome.state };
    const signal =
      outcome.silence === undefined
        ? pollSignal(outcome.isCancelled ? 0 : timeLeftMs())
        : AbortSignal.abort();
    const read = { deployment: outcome.serving, first: isNew ? outcome.revision : undefined };
    const observed = await observe(operation, { signal }, read).catch((error: unknown) => {
      if (outcome.state === "done" || error instanceof NotFound) throw error;
      return { deployment: accepted, revisions: [] };
    });
    if (isBeingDeleted(observed.deployment.status))
      throw new Unreached(
        { observed, rollout: { ...rollout, state: "pending" } },
        deletionLines(observed.deployment),
      );
    const reached = { observed: ofOwnRevision(operation, followed, observed), rollout };
    if (outcome.state === "done") {
      const checked = await smokeChecked(operation, target, reached);
      await progress.end(
        `${until === "active" ? "ready" : "deployed"}: revision ${outcome.revisionId}`,
      );
      return checked;
    }
    throw new Unreached(reached, await failureLines(operation, target, observed, outcome, signal));
  } catch (error) {
    if (error instanceof Unreached) throw error;
    const isGone = error instanceof NotFound;
    const deployment = isGone ? { ...accepted, status: "DELETED" } : accepted;
    const observed = { deployment, revisions: [] };
    const reached: Reached = { observed, rollout: { revisionId, state: "pending" } };
    const lines = isGone
      ? deletionLines(deployment)
      : interruptedLines(operation, deployment, error);
    throw new Unreached(reached, lines);
  }
}

/** The revision that was asked for stays the latest of the state, so that each update warns of a newer one. */
export function ofOwnRevision(
  { log }: Operation,
  own: string | null,
  observed: Observed,
): Observed {
  const { deployment, revisions } = observed;
  if (own === null || deployment.source_config.build_on_push === true) return observed;
  const foreign = foreignRevision({ latestRevisionId: own, revisions });
  if (foreign !== undefined) log.warn(foreign);
  return { deployment: { ...deployment, latest_revision_id: own }, revisions };
}

/** A revision whose check or gate failed is asked again by the next update, which creates no other revision. */
async function smokeChecked(
  operation: Operation,
  target: Target,
  reached: Reached,
): Promise<Reached> {
  const { observed, rollout } = reached;
  const check = known(target.declared.smokeCheck);
  if (check === undefined) return reached;
  const failure = await smokeCheckFailure(
    operation,
    check,
    urlOf(observed.deployment),
    formerRevisions(observed, rollout.revisionId),
  );
  const pending: Reached = { observed, rollout: { ...rollout, state: "pending" } };
  if (failure !== undefined)
    throw new Unreached(pending, smokeCheckLines(target, pending, failure));
  const scores = await deploymentGateFailure(operation, target, pending);
  if (scores === undefined) return reached;
  throw new GateFailed(pending, gateLines(target, pending, scores));
}

/** Revisions that may go on answering for a while after a newer one is deployed. */
function formerRevisions({ revisions }: Observed, revisionId: string | null): string[] {
  const ids = revisions.map(({ id }) => id);
  return revisionId !== null && ids.includes(revisionId)
    ? ids.slice(ids.indexOf(revisionId) + 1)
    : [];
}

/** `latest_revision_id` may be null (contract, "Deployment"): the list says when there is a revision. */
async function firstRevision(
  { client, clock, id, signal: cancel }: Operation,
  timeoutMs: number,
  progress: Progress,
): Promise<string> {
  const poll = async (
    signal: AbortSignal,
  ): Promise<PollResult<{ state: "done"; revisionId: string }>> => {
    const [newest] = await readSettled(clock, () => client.revisions.newest(id, 1, { signal }));
    if (newest === undefined) return { state: "pending", stage: "without a revision" };
    return { state: "done", revisionId: newest.id };
  };
  const onPending = (stage: string): void => progress.stage(stage);
  const { revisionId } = await waitFor({ poll, onPending, timeoutMs, signal: cancel, clock });
  return revisionId;
}
