import { hasFailed } from "../../sdk/status";
import { recordOf, textOf } from "../../shared/records";
import { known } from "../arguments/decode";
import type { Props } from "../arguments/props";
import { describeGate } from "../gate/gate";
import { COMMIT, REPO_REF } from "./declared/argument-table";
import type { Declared } from "./declared/declared";
import { describeNames, environmentOf, type VariableChanges } from "./declared/environment";
import { comesToRevision, type Plan } from "./declared/plan";
import { knownMembers } from "./declared/resource-spec";
import { describeSize, describeSizeChange } from "./declared/size";
import { hasPassedGate } from "./rollout/gate";
import { describeRollback } from "./rollout/rollback-plan";
import { isBranch } from "./service/revision-source";
import { openRollout, revisionIn, rolloutOf, type State } from "./state";

/** What a create's own line in the preview does not say. */
export function describeCreate(declared: Declared): string | undefined {
  const { adoptExisting, name } = declared;
  const size = describeSize(knownMembers(declared["sourceConfig.resourceSpec"]));
  const parts = [
    ...(adoptExisting === true && typeof name === "string"
      ? [`adopts deployment '${name}' if it exists`]
      : []),
    ...(size === undefined ? [] : [size]),
    ...gateOf(declared),
  ];
  return parts.length > 0 ? parts.join("; ") : undefined;
}

/** The gate that follows, since its runs cost what models cost. */
function gateOf({ smokeCheck }: Declared): string[] {
  const gate = known(smokeCheck)?.gate;
  return gate === undefined ? [] : [`${describeGate(gate)} follows`];
}

/** The effect of a replacement on the existing deployment. */
export function describeReplacement({ replacementOrder }: Declared): string {
  return `${ORDER[replacementOrder]}its threads and database are deleted with it`;
}

const ORDER = {
  "deletes first": "deleted first, ",
  "creates first": "deleted last, ",
  unknown: "",
};

/** The plan in one line of the preview; undefined when there is nothing to say. */
export function describePlan(plan: Plan, state: State, after: Declared): string | undefined {
  const { replaces, settings } = plan;
  if (replaces.length > 0)
    return [
      `replaced, since ${list(replaces)} can't be changed: ${describeReplacement(after)}`,
      ...gateOf(after),
    ].join("; ");
  const isNewRevision = comesToRevision(plan);
  const { state: progress } = openRollout(state, after);
  const isUnfinished = progress !== "done";
  const parts = [
    ...perhapsReplaced(plan, after),
    ...(isNewRevision ? [] : perhapsRevised(plan)),
    ...(isNewRevision ? [`an update creates a new revision: ${list(revisionReasons(plan))}`] : []),
    ...(isNewRevision || progress === "failed" ? describeBranch(state, after) : []),
    ...(settings.length > 0
      ? [
          `${isNewRevision ? "settings" : "an update changes settings only, without a new revision"}: ${list(settings)}`,
        ]
      : []),
    ...sizeChangeOf(plan),
    ...plan.spec.dropped.map((member) => describeDropped(member, plan.spec.before[member])),
    ...describeReleased(plan),
    ...(isNewRevision ? [] : describeUnfinished(state, after)),
    ...(isNewRevision || (isUnfinished && !hasPassedGate(state)) ? gateOf(after) : []),
    ...(after.rollsBack && (isNewRevision || isUnfinished)
      ? [describeRollback(state.lastGood, after)]
      : []),
  ];
  return parts.length > 0 ? parts.join("; ") : undefined;
}

/** Only the update knows what an unknown value is, as the id of a listener that is replaced in the same program. */
function perhapsReplaced({ perhapsReplaces: paths }: Plan, declared: Declared): string[] {
  return paths.length > 0
    ? [
        `may be replaced, depending on a value known only during the update (${list(paths)}): ${describeReplacement(declared)}`,
      ]
    : [];
}

function perhapsRevised({ perhapsRevises }: Plan): string[] {
  return perhapsRevises.length > 0
    ? [
        `may create a new revision, depending on a value known only during the update (${list(perhapsRevises)})`,
      ]
    : [];
}

/** A revision of a branch is built from whatever the branch is then, also where only a variable changes. */
function describeBranch({ outputs }: State, after: Declared): string[] {
  const { [REPO_REF]: ref, [COMMIT]: expected } = after;
  if (after.source !== "git_host" || !isBranch(after)) return [];
  const serving = revisionIn(outputs, outputs["activeRevisionId"]);
  const commit = textOf(serving["repoCommitSha"])?.slice(0, 12);
  return [
    `it builds the newest commit of branch ${String(ref)}` +
      (typeof expected === "string" ? `, which must be ${expected}` : "") +
      (commit === undefined ? "" : ` (${commit} serves now)`),
  ];
}

/** The changes that create the new revision: fields by their names, variables by the kind of change. */
export function revisionReasons({ revision, spec, variables, references }: Plan): string[] {
  const isLast = (path: string): boolean => path === "redeployOn";
  return [
    ...revision.filter((path) => !isLast(path)),
    ...spec.set.map((member) => `sourceConfig.resourceSpec.${member}`),
    ...revision.filter(isLast),
    ...namedChanges("variable", variables),
    ...namedChanges("secret reference", references),
  ];
}

function namedChanges(noun: string, { added, changed, removed }: VariableChanges): string[] {
  return [
    ...added.map((name) => `${noun} ${name} added`),
    ...changed.map((name) => `${noun} ${name} changed`),
    ...removed.map((name) => `${noun} ${name} removed`),
  ];
}

/** What is removed from the program stays on the service. */
function sizeChangeOf({ spec: { before, after, set } }: Plan): string[] {
  const change = set.length > 0 ? describeSizeChange(before, { ...before, ...after }) : undefined;
  return change === undefined ? [] : [change];
}

function describeDropped(member: string, value: unknown): string {
  // Only a number is surely not a secret.
  const shown = typeof value === "number" ? ` ${value}` : "";
  return `resourceSpec.${member} is removed from the program and keeps its value${shown}`;
}

/** Without `env` and `secrets` the program does not own the variables, and nothing is sent. */
function describeReleased({ before, after }: Plan): string[] {
  const names = Object.keys(environmentOf(before).variables);
  if (environmentOf(after).isOwned || names.length === 0) return [];
  const stay = names.length > 1 ? "stay" : "stays";
  return [
    `env and secrets are removed from the program: ${describeNames(names)} ${stay} on the service`,
  ];
}

function describeUnfinished(state: State, declared: Declared): string[] {
  const { state: progress, revisionId } = openRollout(state, declared);
  if (progress === "pending") return [`waits for revision ${String(revisionId)}`];
  if (progress !== "failed") return [];
  return state.status === undefined || hasFailed(state.status)
    ? [`new revision of these inputs, since revision ${String(revisionId)} failed`]
    : ["follows the revision that was requested last, or creates it if it was not created"];
}

/** The warning about a newest revision that this resource did not create, above all one that has failed. */
export function foreignWarning(outputs: Props): string | undefined {
  const { id: failed, status, repoRef } = recordOf(outputs["failedRevision"]);
  const id = textOf(failed);
  if (id === undefined || id === rolloutOf(outputs).revisionId) return foreignRevision(outputs);
  const ref = textOf(repoRef) === undefined ? "" : ` of ${textOf(repoRef)}`;
  const active = textOf(outputs["activeRevisionId"]);
  const serving = active === undefined ? "no revision serves" : `revision ${active} still serves`;
  return `revision ${id}${ref} ended with ${textOf(status)}; a push or another client created it; ${serving}`;
}

/** The warning about a newer revision than that of the state, which no push explains: what else it has stays. */
export function foreignRevision(outputs: Props): string | undefined {
  const { latestRevisionId, revisions, sourceConfig } = outputs;
  const ids = (Array.isArray(revisions) ? revisions : []).map((one) => textOf(recordOf(one)["id"]));
  if (ids.indexOf(textOf(latestRevisionId)) < 1 || recordOf(sourceConfig)["buildOnPush"] === true)
    return undefined;
  return `revision ${ids[0]} was created elsewhere, or by an update that was interrupted: an update changes what the program has changed, and the variables as a whole; \`pulumi refresh\` shows what else differs. A deployment belongs in one stack only`;
}

function list(names: readonly string[]): string {
  return names.map((name) => name.replace(/^source(Revision)?Config\./, "")).join(", ");
}
