import type { Deployment } from "../../sdk";
import { pollSignal, type PollResult, waitFor } from "../../sdk/wait";
import type { Job } from "../host/job";
import { InitializationFailure } from "../host/serve";
import { textOf } from "../../shared/records";
import { type Props, valueAt } from "../inputs/props";
import { failureReasons, interruptedReasons, smokeCheckReasons } from "./failure";
import { type Observed, toOutputs } from "./mapping";
import { observe } from "./observe";
import { followRevision } from "./rollout";
import { type Rollout, rolloutOf, untilOf } from "./rollout-state";
import { smokeCheckFailure, smokeCheckOf } from "./smoke-check";

/**
 * Waits for a revision that the service has accepted and returns the outputs. From here on every failure keeps the
 * deployment's id and outputs: it is thrown as an `InitializationFailure`, and `rollout` says whether the next update
 * waits on or makes a new revision.
 */
export async function awaitRollout(
  job: Job,
  inputs: Props,
  accepted: Deployment,
  revisionId: string | null,
): Promise<Props> {
  const until = untilOf(inputs);
  const deadline = job.clock.now() + timeoutSecondsOf(job, inputs) * 1000;
  const timeLeftMs = (): number => deadline - job.clock.now();
  try {
    if (until === "none") return await outputsOf(job, inputs, { revisionId, state: "done" });
    const followed = revisionId ?? (await firstRevision(job, timeLeftMs()));
    const outcome = await followRevision(job, followed, until, timeLeftMs());
    if (outcome.warning !== undefined) job.log.warn(outcome.warning);
    const rollout: Rollout = { revisionId: followed, state: outcome.state };
    const signal = pollSignal(timeLeftMs());
    const observed = await observe(job, { signal }).catch((error: unknown) => {
      if (outcome.state === "done") throw error;
      return { deployment: accepted, revisions: [] };
    });
    const outputs = toOutputs(inputs, observed, rollout, job.settingsInForce.baseUrl);
    if (outcome.state === "done") return await smokeChecked(job, inputs, observed, outputs);
    const reasons = await failureReasons(job, inputs, observed, outcome, signal);
    throw new InitializationFailure(job.id, outputs, reasons);
  } catch (error) {
    if (error instanceof InitializationFailure) throw error;
    const known: Observed = { deployment: accepted, revisions: [] };
    const rollout: Rollout = { revisionId, state: "pending" };
    const outputs = toOutputs(inputs, known, rollout, job.settingsInForce.baseUrl);
    throw new InitializationFailure(
      job.id,
      outputs,
      interruptedReasons(job, inputs, accepted, error),
    );
  }
}

/** A revision whose check failed is checked again by the next update; no other revision is made. */
async function smokeChecked(
  job: Job,
  inputs: Props,
  { deployment }: Observed,
  outputs: Props,
): Promise<Props> {
  const check = smokeCheckOf(inputs);
  if (check === undefined) return outputs;
  const failure = await smokeCheckFailure(job, check, textOf(outputs["url"]));
  if (failure === undefined) return outputs;
  const rollout: Rollout = { revisionId: rolloutOf(outputs).revisionId, state: "pending" };
  throw new InitializationFailure(
    job.id,
    { ...outputs, rollout, ready: false },
    smokeCheckReasons(job, inputs, deployment, failure),
  );
}

/** Reads the deployment and returns its outputs with a rollout that is known already. */
export async function outputsOf(job: Job, inputs: Props, rollout: Rollout): Promise<Props> {
  return toOutputs(inputs, await observe(job), rollout, job.settingsInForce.baseUrl);
}

/** `latest_revision_id` may be null (contract, "Deployment"): the list says when there is a revision. */
async function firstRevision({ client, clock, id }: Job, timeoutMs: number): Promise<string> {
  const stage = "without a revision";
  const poll = async (
    signal: AbortSignal,
  ): Promise<PollResult<{ state: "done"; revisionId: string }>> => {
    const [newest] = await client.revisions.newest(id, 1, { signal });
    if (newest === undefined) return { state: "pending", stage };
    return { state: "done", revisionId: newest.id };
  };
  const { revisionId } = await waitFor({ poll, tolerate: () => stage, timeoutMs, clock });
  return revisionId;
}

export function timeoutSecondsOf(
  { settingsInForce }: Pick<Job, "settingsInForce">,
  inputs: Props,
): number {
  const seconds = valueAt(inputs, "wait.timeoutSeconds");
  return typeof seconds === "number" ? seconds : settingsInForce.waitTimeoutSeconds;
}
