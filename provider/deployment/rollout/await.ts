import { NotFound } from "../../../sdk";
import { isBeingDeleted } from "../../../sdk/status";
import { type PollResult, pollSignal, waitFor } from "../../../sdk/wait";
import { urlOf } from "../../../shared/agent-server-url";
import { readSettled } from "../../resource/find";
import type { Operation } from "../../resource/operation";
import { type Progress, progressOf } from "../../resource/progress";
import { known } from "../../arguments/decode";
import { COMMIT } from "../declared/argument-table";
import { timeoutMsOf } from "../service/deletion";
import { observe, type Observed } from "../service/observe";
import { GateError, RolloutError, type RolloutResult } from "../service/rollout-result";
import { foreignRevision } from "../service/revision-order";
import type { Rollout, Target } from "../declared/state";
import {
  deletionLines,
  failureLines,
  gateLines,
  interruptedLines,
  smokeCheckLines,
} from "./failure";
import { type Following, followRevision, type RolloutEnd } from "./follow";
import { deploymentGateFailure } from "./gate";
import { wayBack } from "./last-good";
import { lastLineOf } from "./last-line";
import { smokeCheckFailure } from "./smoke-check";

/**
 * Waits for a revision that the service has accepted. From here on every failure keeps the deployment: it is thrown as
 * a `RolloutError`, whose `rollout` says whether the next update waits on or creates a new revision.
 */
export async function awaitRollout(
  operation: Operation,
  target: Target,
  accepted: RolloutResult,
): Promise<RolloutResult> {
  const { until, timeoutSeconds } = target.declared;
  const deadline = operation.clock.now() + timeoutMsOf(operation, timeoutSeconds);
  const timeLeftMs = (): number => deadline - operation.clock.now();
  const keeping = (result: RolloutResult) => (error: unknown) => {
    throw error instanceof RolloutError ? error : interruptionOf(operation, result, error);
  };
  const { revisionId } = accepted.rollout;
  if (until === "none") {
    const observed = await observe(operation).catch(keeping(accepted));
    const own = revisionId ?? observed.revisions.at(-1)?.id ?? null;
    const rollout = { revisionId: own, state: "done" } as const;
    return { ...ofOwnRevision(operation, own, observed), rollout };
  }
  const progress = progressOf(operation);
  const followed =
    revisionId ?? (await firstRevision(operation, timeLeftMs(), progress).catch(keeping(accepted)));
  const result: RolloutResult = {
    ...accepted,
    rollout: { revisionId: followed, state: "pending" },
  };
  const wait = { revisionId: followed, until, progress, timeLeftMs };
  return follow(operation, target, result, wait).catch(keeping(result));
}

/** A wait that something else than the roll-out has ended: the next update goes on with it. */
function interruptionOf(
  operation: Operation,
  { deployment: accepted, revisions, rollout: { revisionId } }: RolloutResult,
  error: unknown,
): RolloutError {
  const isGone = error instanceof NotFound;
  const deployment = isGone ? { ...accepted, status: "DELETED" } : accepted;
  const lines = isGone ? deletionLines(deployment) : interruptedLines(operation, deployment, error);
  const rollout = { revisionId, state: "pending" } as const;
  return new RolloutError({ deployment, revisions, rollout }, lines);
}

/** The wait for a revision whose id is known. */
interface Wait extends Pick<Following, "until" | "progress"> {
  readonly revisionId: string;
  readonly timeLeftMs: () => number;
}

async function follow(
  operation: Operation,
  target: Target,
  accepted: RolloutResult,
  { revisionId, until, progress, timeLeftMs }: Wait,
): Promise<RolloutResult> {
  const lastLine = lastLineOf(operation, target, accepted.deployment);
  const commit = target.commit ?? known(target.declared[COMMIT]);
  const isServing = accepted.deployment.active_revision_id === revisionId;
  const timeoutMs = timeLeftMs();
  const following = { commit, until, timeoutMs, isServing, lastLine, progress };
  const end = await followRevision(operation, revisionId, following);
  if (end.warning !== undefined) operation.log.warn(end.warning);
  const rollout: Rollout = { revisionId, state: end.state };
  const result = await resultOf(operation, target, { ...accepted, rollout }, end, timeLeftMs());
  await progress.end(`${until === "active" ? "ready" : "deployed"}: revision ${end.revisionId}`);
  return result;
}

/** What the service has at the end of a wait. Throws where that is not what was waited for, or fails its checks. */
async function resultOf(
  operation: Operation,
  target: Target,
  { deployment: accepted, revisions, rollout }: RolloutResult,
  end: RolloutEnd,
  timeLeftMs: number,
): Promise<RolloutResult> {
  const signal =
    end.silence === undefined ? pollSignal(end.isCancelled ? 0 : timeLeftMs) : AbortSignal.abort();
  // One of another commit was interrupted since the last poll.
  const first = revisions.length === 0 && !end.mismatch ? end.revision : undefined;
  const read = { deployment: end.serving, first };
  const observed = await observe(operation, { signal }, read).catch((error: unknown) => {
    if (end.state === "done" || error instanceof NotFound) throw error;
    return { deployment: accepted, revisions: [] };
  });
  if (isBeingDeleted(observed.deployment.status))
    throw new RolloutError(
      { ...observed, rollout: { ...rollout, state: "pending" } },
      deletionLines(observed.deployment),
    );
  const result = { ...ofOwnRevision(operation, rollout.revisionId, observed), rollout };
  if (end.state === "done") return smokeChecked(operation, target, result);
  throw new RolloutError(result, await failureLines(operation, target, observed, end, signal));
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
  result: RolloutResult,
): Promise<RolloutResult> {
  const check = known(target.declared.smokeCheck);
  if (check === undefined) return result;
  const url = urlOf(result.deployment);
  const failure = await smokeCheckFailure(operation, check, url, formerRevisions(result));
  const pending: RolloutResult = { ...result, rollout: { ...result.rollout, state: "pending" } };
  const scores = failure ? undefined : await deploymentGateFailure(operation, target, pending);
  if (failure === undefined && scores === undefined) return result;
  const { name } = result.deployment;
  const lines = failure ? smokeCheckLines(name, failure) : gateLines(name, scores ?? []);
  const Failure = failure ? RolloutError : GateError;
  throw new Failure(pending, [...lines, ...wayBack(target, pending)]);
}

/** Revisions that may go on answering for a while after a newer one is deployed. */
function formerRevisions({ revisions, rollout }: RolloutResult): string[] {
  const at = revisions.findIndex(({ id }) => id === rollout.revisionId);
  return at < 0 ? [] : revisions.slice(at + 1).map(({ id }) => id);
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
