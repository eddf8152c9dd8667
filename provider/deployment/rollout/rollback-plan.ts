import type { Deployment } from "../../../sdk";
import { textOf } from "../../../shared/records";
import { secretNameInputs } from "../../arguments/option-inputs";
import { COMMANDS, deploymentArguments, REPO_REF } from "../declared/argument-table";
import { type Declared, type Values, withArguments } from "../declared/declared";
import { hasChanges, type Plan, planOf } from "../declared/plan";
import { ignoring } from "../service/ignored";
import { isBranch } from "../service/revision-source";
import type { LastGood, LastGoodRevision } from "../declared/state";

/** The target of a rollback. */
export interface RollbackPlan {
  /** The new inputs with the last good values of all that creates a revision. */
  readonly putBack: Declared;
  /** From the failed values to these, without `redeployOn`: its old value would only build the old revision again. */
  readonly back: Plan;
  /** The revision to redeploy, since the branch that it was built from has moved on. */
  readonly redeploys: LastGoodRevision | undefined;
  /** The commit of the good revision; undefined where the old ref may name another one. */
  readonly commit: string | undefined;
  /** Values that came with the failed revision and stay, since the service has no way to clear them. */
  readonly kept: readonly string[];
}

/** The rollback of an update to the declared state, or why there is none; `deployment` is the one that is rolled back. */
export function rollbackTo(
  lastGood: LastGood,
  declared: Declared,
  deployment?: Deployment,
): RollbackPlan | string {
  const { revision, declared: good } = lastGood;
  if (good === undefined)
    return revision === null
      ? "no revision has served before"
      : "the state does not have the values of the last good revision";
  const putBack = withTriggersOf(good, declared);
  const withoutIgnored = deployment ? ignoring(declared, deployment) : (values: Declared) => values;
  const there = withoutIgnored(putBack);
  const theirs = BUILT_FROM.find(
    (path) => !deploymentArguments.same(path, there[path], good[path]),
  );
  if (theirs !== undefined)
    return `ignoreChanges names ${memberOf(theirs)}, and the last good revision has another one than the service by now`;
  const failed = withoutIgnored(declared);
  const back = planOf(failed, { ...there, redeployOn: failed.redeployOn });
  const redeploys = isBranch(good) ? (revision ?? undefined) : undefined;
  if (redeploys === undefined && !back.createsRevision && back.spec.dropped.length === 0)
    return "it changes nothing that has an old value to restore";
  const isGood = redeploys !== undefined || revision?.repoRef === good[REPO_REF];
  const commit = (isGood && revision?.repoCommitSha) || undefined;
  return { putBack, back, redeploys, commit, kept: keptBy(good, declared) };
}

/** What a revision was built from, and brings back. */
const BUILT_FROM = [REPO_REF, "sourceRevisionConfig.graphConfigPath"] as const;

/** The target of a rollback after a failure, for the preview. */
export function describeRollback(lastGood: LastGood, declared: Declared): string {
  const plan = rollbackTo(lastGood, declared);
  if (typeof plan === "string") return `a failure is not rolled back: ${plan}`;
  if (plan.redeploys === undefined) return `a failure is rolled back to ${sourceOf(plan.putBack)}`;
  const variables = hasChanges(plan.back.variables)
    ? ", after one that puts the variables back and is interrupted"
    : "";
  return `a failure is rolled back by redeploying ${describeRevision(plan.redeploys)}${variables}`;
}

/** A revision with what it was built from. */
export function describeRevision({ id, repoCommitSha }: LastGoodRevision): string {
  return repoCommitSha === null ? `revision ${id}` : `revision ${id} of commit ${repoCommitSha}`;
}

function sourceOf(values: Values): string {
  const { [REPO_REF]: ref, "sourceRevisionConfig.imageUri": image } = values;
  return textOf(ref) ?? textOf(image) ?? "the old values";
}

/** Commands and the first variables stay, since the service has no way to clear them. */
function withTriggersOf(good: Declared, declared: Declared): Declared {
  const { env, secrets } = hasVariables(good) ? good : declared;
  const triggers = TRIGGERS.map((path) => [path, good[path]]);
  const commands = COMMANDS.map((path) => [path, good[path] ?? declared[path]]);
  const values: Partial<Values> = Object.fromEntries([...triggers, ...commands]);
  // The service clears references, unlike variables.
  const secretReferences = good.secretReferences ?? (declared.secretReferences && []);
  const back = withArguments(declared, { ...values, env, secrets, secretReferences });
  const names = secretNameInputs([...declared.secretNames, ...good.secretNames]);
  return { ...back, props: { ...back.props, ...names } };
}

const TRIGGERS = deploymentArguments
  .pathsOf("revision")
  .filter((path) => !COMMANDS.some((command) => command === path));

function keptBy(good: Declared, declared: Declared): string[] {
  const commands = COMMANDS.filter(
    (path) => good[path] === undefined && declared[path] !== undefined,
  );
  const isFirst = !hasVariables(good) && hasVariables(declared);
  return [...commands.map(memberOf), ...(isFirst ? ["the first variables"] : [])];
}

function memberOf(path: string): string {
  return path.slice(path.indexOf(".") + 1);
}

function hasVariables(values: Values): boolean {
  return Object.keys(values.environment.variables).length > 0;
}
