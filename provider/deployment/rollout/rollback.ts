import { messageOf } from "../../../shared/errors";
import type { Operation } from "../../resource/operation";
import type { Plan } from "../declared/plan";
import { interruptRevision, interruptsRevisions } from "../service/interrupt";
import { observe } from "../service/observe";
import type { Observed } from "../service/observed";
import { patchBack } from "../service/patch";
import { type Reached, Unreached } from "../service/reached";
import { redeploy } from "../service/redeploy";
import { type Change, sendPatch } from "../service/send-patch";
import type { LastGoodRevision } from "../state";
import type { Target } from "../target";
import { awaitRollout } from "./await";
import { servingRevision, wayBack } from "./failure";
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
  failure: Unreached,
): Promise<Unreached> {
  const { deployment } = failure.reached.observed;
  const plan = rollbackTo(target.lastGood, target.declared, deployment);
  if (typeof plan === "string") return combined(failure, [`nothing was rolled back: ${plan}`]);
  if (operation.signal?.aborted)
    return combined(failure, ["nothing was rolled back: the run was cancelled"]);
  const { putBack, kept } = plan;
  try {
    const change = await request(operation, plan);
    // The good revision has passed its gate, and the runs of the new values are not about it.
    const good = { ...target, commit: plan.commit, declared: withoutGate(putBack) };
    const reached = await awaitRollout(operation, good, change);
    const lines = [
      `rolled back: revision ${change.revisionId} of the old values serves`,
      ...(kept.length > 0
        ? [`not rolled back, since the service has no way to clear it: ${kept.join(", ")}`]
        : []),
    ];
    return combined(withoutFormer(failure, target), lines, { ...reached, putBack });
  } catch (error) {
    if (error instanceof Unreached)
      return combined(failure, howItEnded(error, failure), { ...error.reached, putBack });
    return combined(failure, [`the rollback could not be requested: ${messageOf(error)}`]);
  }
}

/** The revision that served when the new one had failed serves no more, and nobody has to declare the way back. */
function withoutFormer({ reached, lines }: Unreached, target: Target): Unreached {
  const { observed, rollout } = reached;
  const former = [servingRevision(observed, rollout), ...wayBack(target, reached)];
  return new Unreached(
    reached,
    lines.filter((line) => !former.includes(line)),
  );
}

/** The advice of a failed wait about the next update does not apply here: that one tries the new values. */
function howItEnded({ reached, lines }: Unreached, former: Unreached): string[] {
  if (reached.rollout.state !== "pending")
    return ["the rollback failed too:", ...lines.filter((line) => !former.lines.includes(line))];
  const [headline = ""] = lines.join("\n").split("\n");
  return [
    `the rollback was cut short, and goes on at the control plane: ${headline}`,
    "run `pulumi up` again; it tries the new values once more, or waits for the rollback where the old ones are declared",
  ];
}

async function request(operation: Operation, plan: RollbackPlan): Promise<Change> {
  const { back, redeploys } = plan;
  const observed = await observe(operation);
  if (redeploys !== undefined) return redeployGood(operation, back, redeploys, observed);
  const change = await sendPatch(operation, observed, patchBack(back, observed.deployment));
  operation.log.warn(
    `the new revision failed: revision ${change.revisionId} puts the old values back`,
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
): Promise<Change> {
  const patch = patchBack(back, observed.deployment, true);
  if (patch.createsRevision && !(await interruptsRevisions(operation))) throw new Error(NO_WAY);
  const { toFollow, revisionId } = await sendPatch(operation, observed, patch);
  if (toFollow && revisionId !== null) {
    const problem = await interruptRevision(operation, revisionId);
    if (problem !== undefined)
      operation.log.warn(
        `revision ${revisionId}, which only puts variables back, could not be interrupted and may serve until the next one does: ${problem}`,
      );
  }
  const change = await redeploy(operation, toFollow ? await observe(operation) : observed, good.id);
  operation.log.warn(
    `the new revision failed: revision ${change.revisionId} redeploys ${describeRevision(good)}`,
  );
  return change;
}

const NO_WAY =
  "only a new revision puts the variables back, of the newest commit of the branch, and the control plane can't interrupt it; nothing was sent";

function combined(
  failure: Unreached,
  more: readonly string[],
  reached: Reached = failure.reached,
): Unreached {
  return new Unreached(reached, [...failure.lines, ...more]);
}
