import type { Difference } from "../host/define-lifecycle";
import { type Props, sameValue, valueAt } from "../inputs/props";
import {
  changedImmutable,
  INPUT_NAMES,
  NAMESPACES,
  namespaceChanges,
  namespacesOf,
  sameNamespaces,
} from "./fields";

/**
 * Compares the outputs in the state with the checked inputs. With another compute id the new listener is made first. If
 * the old one went first, the engine would leave the deployments that it places until after it: the engine takes along
 * only what is replaced whatever the unknown new id may be, and a deployment never is, as its database would go with it.
 */
export function difference(olds: Props, news: Props): Difference {
  const replaces = changedImmutable(olds, news);
  if (replaces.length > 0) {
    // A compute has one listener only.
    const deleteBeforeReplace = !replaces.includes("computeId");
    const message = `replaced, since ${replaces.join(", ")} can't be changed: ${orderInWords(deleteBeforeReplace)}`;
    return { result: { replaces, deleteBeforeReplace }, message };
  }
  const result = sameInputs(olds, news) ? { changes: false } : {};
  return { result, message: updateInWords(olds, news) };
}

function orderInWords(deleteBeforeReplace: boolean): string {
  return deleteBeforeReplace
    ? "deleted first, which the service refuses while it places deployments"
    : "the new one is made first, then the deployments that it places are replaced, and it is deleted last";
}

function sameInputs(olds: Props, news: Props): boolean {
  const [before, after] = [namespacesOf(olds), namespacesOf(news)];
  const sameConfig = before && after && sameNamespaces(before, after);
  return INPUT_NAMES.every(
    (name) => (name === "computeConfig" && sameConfig) || sameValue(olds[name], news[name]),
  );
}

function updateInWords(olds: Props, news: Props): string | undefined {
  const [before = [], after] = [namespacesOf(olds), namespacesOf(news)];
  if (after === undefined)
    return before.length > 0 && valueAt(news, NAMESPACES) === undefined
      ? `its namespaces are not given any more and stay: ${before.join(", ")}`
      : undefined;
  const { added, removed } = namespaceChanges(before, after);
  const changes = [
    ...added.map((name) => `${name} added`),
    ...removed.map((name) => `${name} removed`),
  ];
  return changes.length > 0
    ? `an update changes the namespaces in place: ${changes.join(", ")}`
    : undefined;
}
