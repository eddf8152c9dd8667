import { Unknown } from "../../arguments/decode";
import { type ArgumentPath, COMMIT, deploymentArguments } from "./argument-table";
import type { Values } from "./declared";
import type { Variables } from "./environment";
import { referencesByName } from "./references";
import { knownMembers, repeats, type Spec, withoutDefaults } from "./resource-spec";
import { filterMembers } from "../../../shared/records";

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
  /** Whether it comes to a new revision. */
  readonly createsRevision: boolean;
  /** What is unknown, by the words for it, and creates a new revision if it changes. */
  readonly perhapsRevises: readonly string[];
}

/** Compares the last known state with the inputs. An unknown value counts as unchanged. */
export function planOf(before: Values, after: Values): Plan {
  const { changed, removed, replaces, ...changes } = deploymentArguments.changes(before, after);
  const isKnown = (path: ArgumentPath): boolean => after[path] !== Unknown;
  // A derived name may differ: it is the service's to choose.
  const isDerived = before.isNameDerived && after.isNameDerived;
  const revision = fieldsAmong(changed, "revision")
    .filter((path) => (path === "redeployOn" ? redeploys(before, after) : isKnown(path)))
    // No longer to expect a commit asks for no other one.
    .filter((path) => path !== COMMIT || after[COMMIT] !== undefined);
  const variables = variableChanges(before, after);
  const references = referenceChanges(before, after);
  const perhapsRevises = unknownOf(before, after);
  const spec = specChange(before[RESOURCE_SPEC], after[RESOURCE_SPEC]);
  const isOfVariables = hasChanges(variables) || hasChanges(references);
  return {
    before,
    after,
    replaces: replaces.filter((path) => !(path === "name" && isDerived)),
    // A derived name is unknown only with the field that it follows, which is among them.
    perhapsReplaces: changes.mayReplace.filter((path) => path !== "name" || !after.isNameDerived),
    removed,
    revision,
    settings: fieldsAmong(changed, "settings").filter(isKnown),
    variables,
    references,
    spec,
    createsRevision: revision.length > 0 || spec.set.length > 0 || isOfVariables,
    perhapsRevises,
  };
}

/** A variable stands for itself, an object for what is in it. `redeployOn` counts where it had a value. */
function unknownOf(before: Values, after: Values): string[] {
  const { variables } = after.environment;
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
  const { isOwned, variables, hasUnknownNames } = after.environment;
  if (!isOwned) return NO_CHANGES;
  const changes = compareVariables(before.environment.variables, variables);
  return {
    added: changes.added,
    changed: changes.changed.filter((name) => variables[name] !== Unknown),
    removed: hasUnknownNames ? [] : changes.removed,
  };
}

/** A change of the declared resource spec. */
interface SpecChange {
  readonly before: Spec;
  readonly after: Spec;
  /** Members with another value, as far as it is known. */
  readonly set: readonly string[];
  /** Members that are removed or set to null: the service keeps their values. */
  readonly dropped: readonly string[];
}

/**
 * Compares two resource specs; an `after` that is not known yet drops nothing. What only repeats a default, as in the state
 * of an import, was not declared.
 */
function specChange(
  olds: Spec | Unknown | undefined,
  news: Spec | Unknown | undefined,
): SpecChange {
  const [recorded, after] = [knownMembers(olds), knownMembers(news)];
  const notDefault = withoutDefaults(recorded);
  const before = filterMembers(recorded, (_, key) => key in notDefault || key in after);
  return {
    before,
    after,
    set: Object.keys(after).filter(
      (key) => after[key] !== Unknown && !repeats(before[key], after[key]),
    ),
    dropped: news === Unknown ? [] : Object.keys(before).filter((key) => !(key in after)),
  };
}

/** Names of variables by what happens to them, sorted. */
export interface VariableChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/** Compares two environments. */
export function compareVariables(olds: Variables, news: Variables): VariableChanges {
  const names = [...new Set([...Object.keys(olds), ...Object.keys(news)])].toSorted();
  return {
    added: names.filter((name) => !Object.hasOwn(olds, name)),
    removed: names.filter((name) => !Object.hasOwn(news, name)),
    changed: names.filter(
      (name) => Object.hasOwn(olds, name) && Object.hasOwn(news, name) && olds[name] !== news[name],
    ),
  };
}

export function hasChanges({ added, changed, removed }: VariableChanges): boolean {
  return added.length + changed.length + removed.length > 0;
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
