import { z } from "zod";
import { CreateListener } from "../../sdk/schema";
import { isRecord } from "../../shared/records";
import type { Difference } from "../resource/define-lifecycle";
import { differenceOf } from "../resource/difference";
import { defineArguments } from "../arguments/arguments";
import { caseless } from "../arguments/forms";
import { known } from "../arguments/decode";
import { valueAt } from "../arguments/props";

const { compute_type, compute_id, compute_config } = CreateListener.shape;
const NAMESPACES = "computeConfig.k8sNamespaces";

/** The arguments of a `Listener`. The service never changes its compute type and compute id. */
export const listenerArguments = defineArguments(
  {
    computeType: { schema: compute_type, effect: "replace" },
    computeId: { schema: compute_id, form: caseless, effect: "replace" },
    [NAMESPACES]: {
      schema: compute_config.shape.k8s_namespaces,
      isUnordered: true,
      effect: "settings",
    },
    adoptExisting: { schema: z.boolean().optional(), effect: "none" },
  },
  [
    {
      of: ["computeConfig"],
      property: "computeConfig",
      reason: "is required",
      isBroken: ({ computeConfig }) => computeConfig === undefined,
    },
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
  const orders = {
    createdFirst:
      "the new listener is created first, then the deployments that it places are replaced, and the old one is deleted last",
    deletedFirst: "deleted first, which the service refuses while it places deployments",
  };
  const changes = listenerArguments.changes(olds, news);
  return differenceOf(changes, "computeId", orders, previewMessage(olds, news));
}

function previewMessage(olds: Declared, news: Declared): string | undefined {
  const [before = [], after] = [namespacesOf(olds), namespacesOf(news)];
  if (news[NAMESPACES] === undefined && before.length > 0)
    return `its namespaces are removed from the program and stay: ${before.join(", ")}`;
  const changes = [
    ...(after ?? []).filter((name) => !before.includes(name)).map((name) => `${name} added`),
    ...before.filter((name) => after?.includes(name) === false).map((name) => `${name} removed`),
  ];
  return changes.length > 0
    ? `an update changes the namespaces in place: ${changes.join(", ")}`
    : undefined;
}

/** The declared namespaces; undefined where none are declared, or they are not known yet. */
export function namespacesOf(declared: Declared): readonly string[] | undefined {
  return known(declared[NAMESPACES]);
}
