import { z } from "zod";
import { CreateListener } from "../../sdk/schema";
import { isRecord } from "../../shared/records";
import type { Difference } from "../kind/define-lifecycle";
import { defineArguments } from "../arguments/arguments";
import { camelSchema } from "../arguments/camel-schema";
import { caseless } from "../arguments/forms";
import { known, Unknown } from "../arguments/decode";
import { valueAt } from "../arguments/props";

const { compute_type, compute_id, compute_config } = CreateListener.shape;
const NAMESPACES = "computeConfig.k8sNamespaces";

/** The arguments of a `Listener`. The service never changes its compute type and compute id. */
export const listenerArguments = defineArguments(
  {
    computeType: { schema: compute_type, effect: "replace" },
    computeId: { schema: compute_id, form: caseless, effect: "replace" },
    computeConfig: { schema: camelSchema(compute_config), effect: "settings" },
    adoptExisting: { schema: z.boolean().optional(), effect: "none" },
  },
  [
    {
      of: ["computeType", NAMESPACES],
      property: NAMESPACES,
      reason: "must name a namespace for the compute type k8s",
      isBroken: ({ computeType, computeConfig }) =>
        computeType === "k8s" &&
        isRecord(computeConfig) &&
        isEmpty(valueAt(computeConfig, "k8sNamespaces")),
    },
  ],
);

/** The declared state of a listener, or the recorded one. */
export type Declared = ReturnType<typeof listenerArguments.decode>;

function isEmpty(list: unknown): boolean {
  return list === undefined || (Array.isArray(list) && list.length === 0);
}

/**
 * Compares a state with inputs. With another compute id the new listener is created first. Deleted first, it would leave
 * its deployments where they are: the engine deletes dependents only of what is replaced whatever the unknown new id may
 * be, and a deployment never is, as its database would be deleted with it.
 */
export function difference(olds: Declared, news: Declared): Difference {
  const { replaces, changed } = listenerArguments.changes(olds, news);
  if (replaces.length > 0) {
    // A compute has one listener only.
    const deleteBeforeReplace = !replaces.includes("computeId");
    const order = deleteBeforeReplace
      ? "deleted first, which the service refuses while it places deployments"
      : "the new listener is created first, then the deployments that it places are replaced, and the old one is deleted last";
    const message = `replaced, since ${replaces.join(", ")} can't be changed: ${order}`;
    return { result: { replaces, deleteBeforeReplace }, message };
  }
  const [before, after] = [namespacesOf(olds), namespacesOf(news)];
  const isSameConfig = before && after && sameNamespaces(before, after);
  const isSame = changed.every((name) => name === "computeConfig" && isSameConfig);
  return { result: isSame ? { changes: false } : {}, message: previewMessage(olds, news) };
}

function previewMessage(olds: Declared, news: Declared): string | undefined {
  const [before = [], after] = [namespacesOf(olds), namespacesOf(news)];
  if (after === undefined) {
    const isRemoved =
      news.computeConfig !== Unknown && news.computeConfig?.k8sNamespaces === undefined;
    return isRemoved && before.length > 0
      ? `its namespaces are removed from the program and stay: ${before.join(", ")}`
      : undefined;
  }
  const { added, removed } = namespaceChanges(before, after);
  const changes = [
    ...added.map((name) => `${name} added`),
    ...removed.map((name) => `${name} removed`),
  ];
  return changes.length > 0
    ? `an update changes the namespaces in place: ${changes.join(", ")}`
    : undefined;
}

/** The declared namespaces; undefined where none are declared, or they are not known yet. */
export function namespacesOf({ computeConfig }: Declared): readonly string[] | undefined {
  return known(known(computeConfig)?.k8sNamespaces);
}

/** Their order means nothing. */
export function sameNamespaces(left: readonly string[], right: readonly string[]): boolean {
  const { added, removed } = namespaceChanges(left, right);
  return added.length + removed.length === 0;
}

function namespaceChanges(before: readonly string[], after: readonly string[]) {
  return {
    added: after.filter((namespace) => !before.includes(namespace)),
    removed: before.filter((namespace) => !after.includes(namespace)),
  };
}
