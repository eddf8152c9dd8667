import { messageOf } from "../../../shared/errors";
import type { Operation } from "../../resource/operation";
import type { Plan } from "../declared/plan";
import { interruptRevision, interruptsRevisions } from "../service/interrupt";
import { observe, type Observed } from "../service/observe";
import { patchBack } from "../service/patch";
import { RolloutError, type RolloutResult } from "../service/rollout-result";
import { redeploy, sendPatch } from "../service/send-patch";
import type { LastGoodRevision, Target } from "../declared/state";
import { awaitRollout } from "./await";
import { GATE_ASKED_AGAIN, servingRevision } from "./failure";
import { wayBack } from "./last-good";
import { withoutGate } from "./gate";
import { describeRevision, type RollbackPlan, rollbackTo } from "./rollback-plan";

/**
 * Goes back to the last good revision: by one PATCH of the values that created the failed one, or for a branch, which has
 * moved on, by the good revision once more. No other commit may serve. Waits for that, and returns the failure to report:
 * what failed, and what runs. The state keeps the old values, so that the next update tries the new ones again; there is
 * never a second rollback.
 */
export async function rollBack(
  operation: Operation,
  target: Target,
  failure: RolloutError,
): Promise<RolloutError> {
  const { result: failed, lines } = failure;
  const plan = rollbackTo(target.lastGood, target.declared, failed.deployment);
  if (typeof plan === "string" || operation.signal?.aborted) {
    const reason = typeof plan === "string" ? plan : "the run was cancelled";
    return new RolloutError(failed, [...lines, `nothing was rolled back: ${reason}`]);
  }
  const { putBack, kept } = plan;
  const tried = lines.map((line) => (line === GATE_ASKED_AGAIN ? TRIED_AGAIN : line));
  try {
    const change = await request(operation, plan);
    // The good revision has passed its gate, and the runs of the new values are not about it.
    const good = { ...target, commit: plan.commit, declared: withoutGate(putBack) };
    const result = await awaitRollout(operation, good, change);
    // What served when the new one had failed serves no more, and nobody has to declare the way back.
    const former = [servingRevision(failed), ...wayBack(target, failed)];
    return new RolloutError({ ...result, putBack }, [
      ...tried.filter((line) => !former.includes(line)),
      `rolled back: revision ${change.rollout.revisionId} of the old values serves`,
      ...(kept.length > 0
        ? [`not rolled back, since the service has no way to clear it: ${kept.join(", ")}`]
        : []),
    ]);
  } catch (error) {
    if (!(error instanceof RolloutError))
      return new RolloutError(failed, [
        ...lines,
        `the rollback could not be requested: ${messageOf(error)}`,
      ]);
    const ended = [...tried, ...howItEnded(error, failure)];
    return new RolloutError({ ...error.result, putBack }, ended);
  }
}

const TRIED_AGAIN =
  "fix or revert the new values before the next `pulumi up`, which tries them again";

/** The advice of a failed wait about the next update does not apply here: that one tries the new values. */
function howItEnded({ result, lines }: RolloutError, former: RolloutError): string[] {
  if (result.rollout.state !== "pending")
    return ["the rollback failed too:", ...lines.filter((line) => !former.lines.includes(line))];
  const [headline = ""] = lines.join("\n").split("\n");
  return [
    `the rollback was cut short, and goes on at the control plane: ${headline}`,
    "run `pulumi up` again; it tries the new values once more, or waits for the rollback where the old ones are declared",
  ];
}

async function request(operation: Operation, plan: RollbackPlan): Promise<RolloutResult> {
  const { back, redeploys } = plan;
  const observed = await observe(operation);
  if (redeploys !== undefined) return redeployGood(operation, back, redeploys, observed);
  const change = await sendPatch(operation, observed, patchBack(back, observed.deployment));
  operation.log.warn(
    `the new revision failed: revision ${change.rollout.revisionId} puts the old values back`,
  );
  return change;
}

/**
 * Redeploys a revision, which brings its ref and graph back. Variables must be right before, and a PATCH of them creates a
 * revision of whatever the branch is now: that one is interrupted, so that it never serves.
 */
async function redeployGood(
  operation: Operation,
  back: Plan,
  good: LastGoodRevision,
  observed: Observed,
): Promise<RolloutResult> {
  const patch = patchBack(back, observed.deployment, true);
  if (patch.createsRevision && !(await interruptsRevisions(operation))) throw new Error(NO_WAY);
  const { state, revisionId } = (await sendPatch(operation, observed, patch)).rollout;
  const isRevised = state === "pending";
  if (isRevised && revisionId !== null) {
    const problem = await interruptRevision(operation, revisionId);
    if (problem !== undefined)
      operation.log.warn(
        `revision ${revisionId}, which only puts variables back, could not be interrupted and may serve until the next one does: ${problem}`,
      );
  }
  const change = await redeploy(
    operation,
    isRevised ? await observe(operation) : observed,
    good.id,
  );
  operation.log.warn(
    `the new revision failed: revision ${change.rollout.revisionId} redeploys ${describeRevision(good)}`,
  );
  return change;
}

const NO_WAY =
  "only a new revision puts the variables back, of the newest commit of the branch, and the control plane can't interrupt it; nothing was sent";
