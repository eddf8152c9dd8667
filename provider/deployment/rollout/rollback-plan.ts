import { recordOf, textOf } from "../../../shared/records";
import { COMMANDS } from "../declared/argument-table";
import { type Declared, declaredBy } from "../declared/declared";
import { createsRevision, type Plan, planOf } from "../declared/plan";
import { isBranch } from "../service/revision-source";
import type { LastGood, LastGoodRevision } from "../state";

/** What a failed update goes back to. */
export interface RollbackPlan {
  /** The new inputs with the last good values of all that creates a revision. */
  readonly declared: Declared;
  /** From the failed values to these, without `redeployOn`: its old value would only build the old revision again. */
  readonly back: Plan;
  /** The revision to redeploy, since the branch that it was built from has moved on. */
  readonly redeploys: LastGoodRevision | undefined;
  /** What came with the failed revision and stays, since the service has no way to clear it. */
  readonly kept: readonly string[];
}

/** The rollback of an update to the declared state, or why there is none. */
export function rollbackTo(lastGood: LastGood, declared: Declared): RollbackPlan | string {
  const { revision, declared: good } = lastGood;
  if (good === undefined)
    return revision === null
      ? "no revision has served before"
      : "the state does not have the values of the last good revision";
  const putBack = withTriggersOf(good, declared);
  const plan = planOf(declared, putBack);
  const back = { ...plan, revision: plan.revision.filter((path) => path !== "redeployOn") };
  const redeploys = isBranch(good) ? (revision ?? undefined) : undefined;
  if (redeploys === undefined && !createsRevision(back) && back.spec.dropped.length === 0)
    return "it changes nothing that has an old value to restore";
  return { declared: putBack, back, redeploys, kept: keptBy(good, declared) };
}

/** What a failure will be rolled back to, for the preview. */
export function describeRollback(lastGood: LastGood, declared: Declared): string {
  const plan = rollbackTo(lastGood, declared);
  if (typeof plan === "string") return `a failure is not rolled back: ${plan}`;
  if (plan.redeploys === undefined) return `a failure is rolled back to ${sourceOf(plan.declared)}`;
  return `a failure is rolled back by redeploying ${describeRevision(plan.redeploys)}`;
}

/** A revision with what it was built from. */
export function describeRevision({ id, repoCommitSha }: LastGoodRevision): string {
  return repoCommitSha === null ? `revision ${id}` : `revision ${id} of commit ${repoCommitSha}`;
}

function sourceOf({ values }: Declared): string {
  const { "sourceRevisionConfig.repoRef": ref, "sourceRevisionConfig.imageUri": image } = values;
  return textOf(ref) ?? textOf(image) ?? "the old values";
}

function withTriggersOf(good: Declared, { inputs }: Declared): Declared {
  const { sourceRevisionConfig, redeployOn, sourceConfig: old } = good.inputs;
  const { env, secrets } = hasVariables(good) ? good.inputs : inputs;
  const { resourceSpec: _size, ...config } = recordOf(inputs["sourceConfig"]);
  const { env: _env, secrets: _secrets, redeployOn: _redeployOn, ...rest } = inputs;
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

function keptBy(good: Declared, declared: Declared): string[] {
  const commands = COMMANDS.filter((command) => {
    const path = `sourceConfig.${command}` as const;
    return good.values[path] === undefined && declared.values[path] !== undefined;
  });
  const isFirst = !hasVariables(good) && hasVariables(declared);
  return [...commands, ...(isFirst ? ["the first variables"] : [])];
}

function hasVariables({ environment }: Declared): boolean {
  return Object.keys(environment.variables).length > 0;
}
