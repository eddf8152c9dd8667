import { hasUnknown, sameValue, UNKNOWN } from "../../arguments/props";
import { type Argument, type ArgumentPath, ARGUMENTS } from "./argument-table";
import type { Declared } from "./declared";
import { compareVariables, hasChanges, type VariableChanges } from "./environment";
import { type SpecChange, specChange } from "./resource-spec";

/** What a change of the declared state comes to, before the service is asked. */
export interface Plan {
  readonly before: Declared;
  readonly after: Declared;
  /** Arguments whose change replaces the deployment. */
  readonly replaces: readonly ArgumentPath[];
  /** Fields that change by a new revision, without those of the resource spec. */
  readonly revision: readonly ArgumentPath[];
  /** Fields that change without a new revision. */
  readonly settings: readonly ArgumentPath[];
  readonly variables: VariableChanges;
  readonly spec: SpecChange;
}

/** Compares the last known state with the inputs. An unknown value counts as unchanged. */
export function planOf(before: Declared, after: Declared): Plan {
  return {
    before,
    after,
    replaces: changedImmutable(before, after),
    revision: pathsOf("revision").filter((path) =>
      path === "redeployOn" ? redeploys(before, after) : isChangedField(before, after, path),
    ),
    settings: pathsOf("settings").filter((path) => isChanged(before, after, path)),
    variables: variableChanges(before, after),
    spec: specChange(before.spec, after.spec, after.values[RESOURCE_SPEC] !== UNKNOWN),
  };
}

/** Whether the plan creates a new revision. */
export function createsRevision({ revision, spec, variables }: Plan): boolean {
  return revision.length > 0 || spec.set.length > 0 || hasChanges(variables);
}

/** Whether a plan replaces the deployment, or may: only the update knows what an unknown value is. */
export function mayReplace({ replaces, after }: Plan): boolean {
  return replaces.length > 0 || pathsOf("replace").some((path) => after.values[path] === UNKNOWN);
}

/** Whether a plan surely leaves the deployment's URL as it is. */
export function keepsUrl(plan: Plan): boolean {
  const customUrl = "sourceConfig.customUrl";
  const isUnknown = plan.after.values[customUrl] === UNKNOWN;
  return !mayReplace(plan) && !isUnknown && !plan.settings.includes(customUrl);
}

/** The immutable arguments that a change touches. A derived name may differ: it is the service's to choose. */
export function changedImmutable(before: Declared, after: Declared): ArgumentPath[] {
  const isDerived = before.isNameDerived && after.isNameDerived;
  return pathsOf("replace").filter(
    (path) => !(path === "name" && isDerived) && isChanged(before, after, path),
  );
}

/** The paths of all arguments whose change has this effect. */
export function pathsOf(effect: Argument["effect"]): ArgumentPath[] {
  return ARGUMENTS.filter((argument) => argument.effect === effect).map(({ path }) => path);
}

const RESOURCE_SPEC = "sourceConfig.resourceSpec";

/** Compared member by member. */
const OBJECTS: ReadonlySet<ArgumentPath> = new Set([RESOURCE_SPEC, "env", "secrets"]);

function isChangedField(before: Declared, after: Declared, path: ArgumentPath): boolean {
  return !OBJECTS.has(path) && isChanged(before, after, path);
}

function isChanged(before: Declared, after: Declared, path: ArgumentPath): boolean {
  const value = after.values[path];
  return value !== UNKNOWN && !sameValue(before.values[path], value);
}

/** Set for the first time, or removed, it changes nothing that it stands for. */
function redeploys(before: Declared, after: Declared): boolean {
  const [old, value] = [before.values.redeployOn, after.values.redeployOn];
  if (old === undefined || value === undefined || hasUnknown(value)) return false;
  return !sameValue(old, value);
}

/** An unknown value is no known change, and where names are unknown none is known to be removed. */
function variableChanges(before: Declared, after: Declared): VariableChanges {
  const { isOwned, variables, hasUnknownNames } = after.environment;
  if (!isOwned) return { added: [], changed: [], removed: [] };
  const changes = compareVariables(before.environment.variables, variables);
  return {
    added: changes.added,
    changed: changes.changed.filter((name) => variables[name] !== UNKNOWN),
    removed: hasUnknownNames ? [] : changes.removed,
  };
}
