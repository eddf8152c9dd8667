import { messageOf } from "../../../shared/errors";
import { InitializationFailure } from "../../kind/initialization-failure";
import type { Props } from "../../arguments/props";
import { awaitRollout } from "./await";
import { observe } from "../service/observe";
import type { Observed } from "../service/observed";
import { patchBack } from "../service/patch";
import { redeploy } from "../service/redeploy";
import { describeRevision, type RollbackPlan, rollbackTo } from "./rollback-plan";
import { type Change, sendPatch } from "../service/send-patch";
import { rolloutOf } from "../state";
import type { Target } from "../target";

/**
 * Goes back to the last good revision: one PATCH of the values that created the failed revision, and for a branch, which
 * has moved on, the good revision once more. Waits for that, and returns the failure to report: what failed, and what
 * runs. The state keeps the old values, so that the next update tries the new ones again; there is never a second
 * rollback.
 */
export async function rollBack(
  target: Target,
  failure: InitializationFailure,
): Promise<InitializationFailure> {
  const plan = rollbackTo(target.lastGood, target.declared);
  if (typeof plan === "string")
    return combined(failure, failure.properties, [`nothing was rolled back: ${plan}`]);
  if (target.signal?.aborted)
    return combined(failure, failure.properties, [
      "nothing was rolled back: the run was cancelled",
    ]);
  const back: Target = { ...target, declared: plan.declared };
  try {
    const { deployment, revisionId } = await request(back, plan);
    const outputs = await awaitRollout(back, deployment, revisionId);
    return combined(failure, outputs, [
      `rolled back: revision ${revisionId} of the old values serves`,
      ...(plan.kept.length > 0
        ? [`not rolled back, since the service has no way to clear it: ${plan.kept.join(", ")}`]
        : []),
    ]);
  } catch (error) {
    if (error instanceof InitializationFailure)
      return combined(failure, error.properties, howItEnded(error));
    const reason = `the rollback could not be requested: ${messageOf(error)}`;
    return combined(failure, failure.properties, [reason]);
  }
}

/** What the end of a wait says of the next update is another matter here: that tries the new values. */
function howItEnded({ properties, reasons }: InitializationFailure): string[] {
  if (rolloutOf(properties).state !== "pending") return ["the rollback failed too:", ...reasons];
  const [headline = ""] = reasons.join("\n").split("\n");
  return [
    `the rollback was cut short, and goes on at the control plane: ${headline}`,
    "run `pulumi up` again; it tries the new values once more, or waits for the rollback where the old ones are declared",
  ];
}

async function request(target: Target, { back, redeploys }: RollbackPlan): Promise<Change> {
  const observed = await observe(target);
  const patched = await sendPatch(target, observed, patchBack(back, observed.deployment));
  if (redeploys === undefined) {
    target.log.warn(
      `the new revision failed: revision ${patched.revisionId} puts the old values back`,
    );
    return patched;
  }
  const before: Observed = patched.toFollow ? await observe(target) : observed;
  const change = await redeploy(target, before, redeploys.id);
  target.log.warn(
    `the new revision failed: revision ${change.revisionId} redeploys ${describeRevision(redeploys)}`,
  );
  return change;
}

function combined(
  { id, reasons }: InitializationFailure,
  outputs: Props,
  more: readonly string[],
): InitializationFailure {
  return new InitializationFailure(id, outputs, [[...reasons, ...more].join("\n      ")]);
}
