import { Unknown } from "../../arguments/decode";
import { type ArgumentPath, COMMIT, deploymentArguments } from "./argument-table";
import type { Values } from "./declared";
import { compareVariables, environmentOf, hasChanges, type VariableChanges } from "./environment";
import { referencesByName } from "./references";
import { knownMembers, type SpecChange, specChange } from "./resource-spec";

/** A change of the declared state, before the service is asked. */
export interface Plan {
  readonly before: Values;
  readonly after: Values;
  /** Arguments whose change replaces the deployment. */
  readonly replaces: readonly ArgumentPath[];
  /** Arguments of which only the update knows whether they replace it. */
  readonly perhapsReplaces: readonly ArgumentPath[];
  /** Arguments that are removed. */
  readonly removed: readonly ArgumentPath[];
  /** Fields that change by a new revision, without those of the resource spec. */
  readonly revision: readonly ArgumentPath[];
  /** Fields that change without a new revision. */
  readonly settings: readonly ArgumentPath[];
  readonly variables: VariableChanges;
  readonly references: VariableChanges;
  readonly spec: SpecChange;
  /** What is unknown, by the words for it, and creates a new revision if it changes. */
  readonly perhapsRevises: readonly string[];
}

/** Compares the last known state with the inputs. An unknown value counts as unchanged. */
export function planOf(before: Values, after: Values): Plan {
  const { changed, removed, replaces, ...changes } = deploymentArguments.changes(before, after);
  const isKnown = (path: ArgumentPath): boolean => after[path] !== Unknown;
  // A derived name may differ: it is the service's to choose.
  const isDerived = before.isNameDerived && after.isNameDerived;
  return {
    before,
    after,
    replaces: replaces.filter((path) => !(path === "name" && isDerived)),
    perhapsReplaces: changes.mayReplace.filter((path) => path !== "name"),
    removed,
    revision: fieldsAmong(changed, "revision")
      .filter((path) => (path === "redeployOn" ? redeploys(before, after) : isKnown(path)))
      // No longer to expect a commit asks for no other one.
      .filter((path) => path !== COMMIT || after[COMMIT] !== undefined),
    settings: fieldsAmong(changed, "settings").filter(isKnown),
    variables: variableChanges(before, after),
    references: referenceChanges(before, after),
    spec: specChange(before[RESOURCE_SPEC], after[RESOURCE_SPEC]),
    perhapsRevises: unknownOf(before, after),
  };
}

/** A variable stands for itself, an object for what is in it. `redeployOn` counts where it had a value. */
function unknownOf(before: Values, after: Values): string[] {
  const { variables } = environmentOf(after);
  const members = Object.entries(knownMembers(after[RESOURCE_SPEC]));
  return [
    ...deploymentArguments
      .pathsOf("revision")
      .filter((path) => after[path] === Unknown)
      .filter((path) => path !== "redeployOn" || before.redeployOn !== undefined),
    ...members.filter(([, value]) => value === Unknown).map(([name]) => `resourceSpec.${name}`),
    ...Object.keys(variables)
      .filter((name) => variables[name] === Unknown)
      .map((name) => `variable ${name}`),
  ];
}

/** Whether the plan comes to a new revision. */
export function comesToRevision({ revision, spec, variables, references }: Plan): boolean {
  const isOfVariables = hasChanges(variables) || hasChanges(references);
  return revision.length > 0 || spec.set.length > 0 || isOfVariables;
}

/** Whether a plan replaces the deployment, or may: only the update knows what an unknown value is. */
export function mayReplace({ replaces, after }: Plan): boolean {
  return (
    replaces.length > 0 || deploymentArguments.immutable.some((path) => after[path] === Unknown)
  );
}

/** Whether a plan surely leaves the deployment's URL as it is. */
export function keepsUrl(plan: Plan): boolean {
  const customUrl = "sourceConfig.customUrl";
  const isUnknown = plan.after[customUrl] === Unknown;
  return !mayReplace(plan) && !isUnknown && !plan.settings.includes(customUrl);
}

const RESOURCE_SPEC = "sourceConfig.resourceSpec";

/** Compared member by member. */
const OBJECTS: ReadonlySet<ArgumentPath> = new Set([
  RESOURCE_SPEC,
  "env",
  "secrets",
  "secretReferences",
]);

function fieldsAmong(
  changed: readonly ArgumentPath[],
  effect: "revision" | "settings",
): ArgumentPath[] {
  const paths = deploymentArguments.pathsOf(effect);
  return changed.filter((path) => paths.includes(path) && !OBJECTS.has(path));
}

/** Set for the first time, or removed, it changes nothing that it stands for. */
function redeploys({ redeployOn: old }: Values, { redeployOn: value }: Values): boolean {
  return old !== undefined && value !== undefined && value !== Unknown;
}

/** An unknown value is not a known change, and where names are unknown none is known to be removed. */
function variableChanges(before: Values, after: Values): VariableChanges {
  const { isOwned, variables, hasUnknownNames } = environmentOf(after);
  if (!isOwned) return NO_CHANGES;
  const changes = compareVariables(environmentOf(before).variables, variables);
  return {
    added: changes.added,
    changed: changes.changed.filter((name) => variables[name] !== Unknown),
    removed: hasUnknownNames ? [] : changes.removed,
  };
}

const NO_CHANGES: VariableChanges = { added: [], changed: [], removed: [] };

/** Where the program does not set them, or they are not known yet, they stay. */
function referenceChanges(
  { secretReferences: before }: Values,
  { secretReferences: after }: Values,
): VariableChanges {
  if (after === undefined || after === Unknown) return NO_CHANGES;
  return compareVariables(referencesByName(before), referencesByName(after));
}
