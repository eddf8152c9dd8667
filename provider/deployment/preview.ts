import { hasFailed } from "../../sdk/status";
import { textOf } from "../../shared/records";
import { known } from "../arguments/decode";
import { describeAdoption } from "../resource/ownership";
import { describeGate } from "../gate/gate";
import { COMMIT, REPO_REF } from "./declared/argument-table";
import type { Declared } from "./declared/declared";
import { describeNames } from "./declared/environment";
import { type Plan, revisionReasons } from "./declared/plan";
import { knownMembers } from "./declared/resource-spec";
import { describeSize, describeSizeChange } from "./declared/size";
import { hasPassedGate } from "./rollout/gate";
import { describeRollback } from "./rollout/rollback-plan";
import { isBranch } from "./service/revision-source";
import { openRollout, revisionIn, type State } from "./declared/state";

/** What a create's own line in the preview does not say. */
export function describeCreate(declared: Declared): string | undefined {
  const { name, props } = declared;
  const parts = [
    describeAdoption(props, "deployment", name),
    describeSize(knownMembers(declared["sourceConfig.resourceSpec"])),
    ...gateOf(declared),
  ].filter((part) => part !== undefined);
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

/** With a derived name both can be there at once. */
function orderOption({ isNameDerived, replacementOrder }: Declared): string[] {
  return isNameDerived && replacementOrder !== "creates first"
    ? ["the option deleteBeforeReplace: false creates the new one first"]
    : [];
}

const ORDER = {
  "deletes first": "deleted first, ",
  "creates first": "deleted last, ",
  unknown: "",
};

/** The plan in one line of the preview; undefined when there is nothing to say. */
export function describePlan(plan: Plan, state: State, after: Declared): string | undefined {
  const { createsRevision: isNewRevision, replaces, settings } = plan;
  if (replaces.length > 0)
    return [
      `replaced, since ${list(replaces)} can't be changed: ${describeReplacement(after)}`,
      ...orderOption(after),
      ...gateOf(after),
    ].join("; ");
  const { state: progress } = openRollout(state, after);
  const isUnfinished = progress !== "done";
  const parts = [
    ...perhaps(
      "may be replaced, depending on",
      plan.perhapsReplaces,
      `: ${describeReplacement(after)}`,
    ),
    ...(isNewRevision
      ? []
      : perhaps("may create a new revision, depending on", plan.perhapsRevises)),
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
      ? [`${isNewRevision ? unlessServing(state) : ""}${describeRollback(state.lastGood, after)}`]
      : []),
  ];
  return parts.length > 0 ? parts.join("; ") : undefined;
}

/** The update finds the revision that the state still waits for, and goes back to it where it serves. */
function unlessServing({ rollout, declared }: State): string {
  const mayServe = rollout.state === "pending" && known(declared.smokeCheck) === undefined;
  return mayServe ? `unless revision ${rollout.revisionId} serves by then, ` : "";
}

/** Only the update knows what an unknown value is, as the id of a listener that is replaced in the same program. */
function perhaps(effect: string, paths: readonly string[], end = ""): string[] {
  const value = `a value known only during the update (${list(paths)})`;
  return paths.length > 0 ? [`${effect} ${value}${end}`] : [];
}

/** A revision of a branch is built from whatever the branch is then, also where only a variable changes. */
function describeBranch({ outputs }: State, after: Declared): string[] {
  const { [REPO_REF]: ref, [COMMIT]: expected } = after;
  if (!isBranch(after)) return [];
  const serving = revisionIn(outputs, outputs["activeRevisionId"]);
  const commit = textOf(serving["repoCommitSha"])?.slice(0, 12);
  return [
    `it builds the newest commit of branch ${String(ref)}` +
      (typeof expected === "string" ? `, which must be ${expected}` : "") +
      (commit === undefined ? "" : ` (${commit} serves now)`),
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
  const names = Object.keys(before.environment.variables);
  if (after.environment.isOwned || names.length === 0) return [];
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

function list(names: readonly string[]): string {
  return names.map((name) => name.replace(/^source(Revision)?Config\./, "")).join(", ");
}
