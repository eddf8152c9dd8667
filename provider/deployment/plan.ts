import { hasUnknown, type Props, sameValue, UNKNOWN, valueAt } from "../inputs/props";
import { differences, ownsEnvironment, variablesOf } from "./environment";
import {
  BUILD_COMMANDS,
  changed,
  changedImmutable,
  RESOURCE_SPEC,
  REVISION_SOURCE,
  SETTINGS_ONLY,
} from "./fields";
import { specChanges } from "./resource-spec";

/** What a change of the inputs comes to, before the service is looked at. */
export interface Plan {
  /** Fields that make it another deployment. */
  readonly replaces: readonly string[];
  /** Fields that make a new revision. */
  readonly revision: readonly string[];
  /** Fields that are sent and make none. */
  readonly settings: readonly string[];
  /** Names of variables whose value or presence changes. */
  readonly variables: ReturnType<typeof differences>;
  /** Keys of the resource spec that are given no more: the service keeps their values. */
  readonly dropped: readonly string[];
}

/** Compares the last known outputs with the inputs of now; an unknown value counts as no change. */
export function planOf(olds: Props, news: Props): Plan {
  const spec = specChanges(olds, news);
  const specIsKnown = valueAt(news, RESOURCE_SPEC) !== UNKNOWN;
  return {
    replaces: [...(nameChanged(olds, news) ? ["name"] : []), ...changedImmutable(olds, news)],
    revision: [
      ...[...REVISION_SOURCE, ...BUILD_COMMANDS].filter((path) => changed(olds, news, path)),
      ...spec.set.map((key) => `${RESOURCE_SPEC}.${key}`),
      ...(redeploys(olds, news) ? ["redeployOn"] : []),
    ],
    settings: SETTINGS_ONLY.filter((path) => changed(olds, news, path)),
    variables: changedVariables(olds, news),
    dropped: specIsKnown ? spec.dropped : [],
  };
}

/** Whether the plan makes a new revision. */
export function makesRevision({ revision, variables }: Plan): boolean {
  return revision.length > 0 || changesVariables(variables);
}

export function changesVariables({ added, changed: other, removed }: Plan["variables"]): boolean {
  return added.length + other.length + removed.length > 0;
}

/** A derived name may have moved on to the next one at create: it is the service's, not the program's, to compare. */
function nameChanged(olds: Props, news: Props): boolean {
  if (olds["nameDerived"] === true && news["nameDerived"] === true) return false;
  return changed(olds, news, "name");
}

/** Given for the first time, or taken away, it stands for no change of what it watches. */
function redeploys(olds: Props, news: Props): boolean {
  const [before, after] = [olds["redeployOn"] ?? undefined, news["redeployOn"] ?? undefined];
  if (before === undefined || after === undefined || hasUnknown(after)) return false;
  return !sameValue(before, after);
}

/** By name: a value that is unknown is no known change of it, and names that are unknown may be any of the old ones. */
function changedVariables(olds: Props, news: Props): Plan["variables"] {
  if (!ownsEnvironment(news)) return { added: [], changed: [], removed: [] };
  const wanted = variablesOf(news);
  const { added, changed: other, removed } = differences(variablesOf(olds), wanted);
  const anyName = news["env"] === UNKNOWN || news["secrets"] === UNKNOWN;
  return {
    added,
    changed: other.filter((name) => wanted[name] !== UNKNOWN),
    removed: anyName ? [] : removed,
  };
}
