import type { Deployment } from "../../../sdk";
import { type PollResult, pollSignal, waitFor } from "../../../sdk/wait";
import { textOf } from "../../../shared/records";
import { InitializationFailure } from "../../kind/initialization-failure";
import { known } from "../../arguments/decode";
import type { Props } from "../../arguments/props";
import { failureLines, interruptedLines, smokeCheckLines } from "./failure";
import { observe } from "../service/observe";
import type { Observed } from "../service/observed";
import { followRevision } from "./follow";
import { smokeCheckFailure } from "./smoke-check";
import { type Rollout, rolloutOf } from "../state";
import { failureOf, outputsOf, type Target, timeoutMsOf } from "../target";

/**
 * Waits for a revision that the service has accepted and returns the outputs. From here on every failure keeps the
 * deployment's id and outputs: it is thrown as an `InitializationFailure`, and `rollout` says whether the next update
 * waits on or creates a new revision.
 */
export async function awaitRollout(
  target: Target,
  accepted: Deployment,
  revisionId: string | null,
): Promise<Props> {
  const { until } = target.declared;
  const deadline = target.clock.now() + timeoutMsOf(target);
  const timeLeftMs = (): number => deadline - target.clock.now();
  try {
    if (until === "none")
      return outputsOf(target, await observe(target), { revisionId, state: "done" });
    const followed = revisionId ?? (await firstRevision(target, timeLeftMs()));
    const outcome = await followRevision(target, followed, until, timeLeftMs());
    if (outcome.warning !== undefined) target.log.warn(outcome.warning);
    const rollout: Rollout = { revisionId: followed, state: outcome.state };
    const signal = pollSignal(outcome.isCancelled ? 0 : timeLeftMs());
    const observed = await observe(target, { signal }).catch((error: unknown) => {
      if (outcome.state === "done") throw error;
      return { deployment: accepted, revisions: [] };
    });
    const outputs = outputsOf(target, observed, rollout);
    if (outcome.state === "done") return await smokeChecked(target, observed, outputs);
    const lines = await failureLines(target, observed, outcome, signal);
    throw failureOf(target, observed.deployment, outputs, lines);
  } catch (error) {
    if (error instanceof InitializationFailure) throw error;
    const last: Observed = { deployment: accepted, revisions: [] };
    const outputs = outputsOf(target, last, { revisionId, state: "pending" });
    throw failureOf(target, accepted, outputs, interruptedLines(target, accepted, error));
  }
}

/** A revision whose check failed is checked again by the next update, which creates no other revision. */
async function smokeChecked(target: Target, observed: Observed, outputs: Props): Promise<Props> {
  const check = known(target.declared.smokeCheck);
  if (check === undefined) return outputs;
  const failure = await smokeCheckFailure(target, check, textOf(outputs["url"]));
  if (failure === undefined) return outputs;
  const { revisionId } = rolloutOf(outputs);
  const pending: Rollout = { revisionId, state: "pending" };
  const failed = outputsOf(target, observed, pending);
  throw failureOf(
    target,
    observed.deployment,
    failed,
    smokeCheckLines(target, observed, pending, failure),
  );
}

/** `latest_revision_id` may be null (contract, "Deployment"): the list says when there is a revision. */
async function firstRevision(
  { client, clock, id, signal: cancel }: Target,
  timeoutMs: number,
): Promise<string> {
  const stage = "without a revision";
  const poll = async (
    signal: AbortSignal,
  ): Promise<PollResult<{ state: "done"; revisionId: string }>> => {
    const [newest] = await client.revisions.newest(id, 1, { signal });
    if (newest === undefined) return { state: "pending", stage };
    return { state: "done", revisionId: newest.id };
  };
  const { revisionId } = await waitFor({
    poll,
    tolerate: () => stage,
    timeoutMs,
    signal: cancel,
    clock,
  });
  return revisionId;
}
