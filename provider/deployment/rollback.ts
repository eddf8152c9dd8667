import { messageOf } from "../../shared/errors";
import { recordOf } from "../../shared/records";
import { InitializationFailure } from "../host/initialization-failure";
import type { Props } from "../inputs/props";
import { COMMANDS } from "./argument-table";
import { awaitRollout } from "./await-rollout";
import { type Declared, declaredBy } from "./declared";
import { observe } from "./observe";
import { patchBack } from "./patch";
import { type Plan, planOf } from "./plan";
import { sendPatch } from "./send-patch";
import type { Target } from "./target";

/**
 * Puts every field that created the failed revision back to its old value, in one PATCH, and waits for the revision of
 * that. Returns the failure to report: what failed, and what runs. The state keeps the old values, so that the next
 * update tries the new ones again; there is never a second rollback.
 */
export async function rollBack(
  target: Target,
  plan: Plan,
  failure: InitializationFailure,
): Promise<InitializationFailure> {
  const back: Target = { ...target, declared: rolledBack(plan) };
  try {
    const observed = await observe(target);
    const patch = patchBack(planOf(plan.after, back.declared), observed.deployment);
    const { deployment, toFollow, revisionId } = await sendPatch(back, observed, patch);
    if (!toFollow)
      return combined(failure, failure.properties, [
        "nothing was rolled back: this update changed nothing that has an old value to put back",
        ...kept(plan),
      ]);
    target.log.warn(`the new revision failed: revision ${revisionId} puts the old values back`);
    const outputs = await awaitRollout(back, deployment, revisionId);
    return combined(failure, outputs, [
      `rolled back: revision ${revisionId} of the old values serves`,
      ...kept(plan),
    ]);
  } catch (error) {
    if (error instanceof InitializationFailure)
      return combined(failure, error.properties, ["the rollback failed too:", ...error.reasons]);
    const reason = `the rollback could not be requested: ${messageOf(error)}`;
    return combined(failure, failure.properties, [reason]);
  }
}

/** The failure of a revision that an earlier update requested: the state holds the values of that one already. */
export function notRolledBack(failure: InitializationFailure): InitializationFailure {
  return combined(failure, failure.properties, [
    "nothing was rolled back: an earlier `pulumi up` requested this revision, and the values from before it are not known any more; declare them again to go back",
  ]);
}

function combined(
  { id, reasons }: InitializationFailure,
  outputs: Props,
  more: readonly string[],
): InitializationFailure {
  return new InitializationFailure(id, outputs, [[...reasons, ...more].join("\n      ")]);
}

/** The new inputs with the old values of all that creates a revision. */
function rolledBack({ before, after }: Plan): Declared {
  const { sourceRevisionConfig, redeployOn, sourceConfig: old } = before.inputs;
  const { env, secrets } = hasVariables(before) ? before.inputs : after.inputs;
  const { resourceSpec: _size, ...config } = recordOf(after.inputs["sourceConfig"]);
  const { env: _env, secrets: _secrets, redeployOn: _redeployOn, ...rest } = after.inputs;
  const triggers = Object.entries(recordOf(old)).filter(
    ([name, value]) => TRIGGERS.includes(name) && (value ?? undefined) !== undefined,
  );
  return declaredBy({
    ...rest,
    sourceConfig: { ...config, ...Object.fromEntries(triggers) },
    sourceRevisionConfig,
    ...(env !== undefined && { env }),
    ...(secrets !== undefined && { secrets }),
    ...(redeployOn !== undefined && { redeployOn }),
  });
}

const TRIGGERS: readonly string[] = ["resourceSpec", ...COMMANDS];

/** What came with the failed revision and stays, since the service has no way to clear it. */
function kept({ before, after }: Plan): string[] {
  const commands = COMMANDS.filter((command) => {
    const path = `sourceConfig.${command}` as const;
    return before.values[path] === undefined && after.values[path] !== undefined;
  });
  const variables = !hasVariables(before) && hasVariables(after) ? ["the first variables"] : [];
  const names = [...commands, ...variables];
  return names.length === 0
    ? []
    : [`not rolled back, since the service has no way to clear it: ${names.join(", ")}`];
}

function hasVariables({ environment }: Declared): boolean {
  return Object.keys(environment.variables).length > 0;
}
