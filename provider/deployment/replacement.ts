import { NotFound } from "../../sdk";
import { isBeingDeleted } from "../../sdk/status";
import type { Problem } from "../arguments/problems";
import { isEmpty } from "../arguments/props";
import { replacingPaths } from "../resource/announcement";
import type { Context } from "../resource/context";
import type { RemoteCheck } from "../resource/define-lifecycle";
import { waysOutOfRecorded } from "../resource/ownership";
import { type Operation, operationOf } from "../resource/operation";
import { ADOPT, compare } from "./adoption";
import type { ArgumentPath } from "./declared/argument-table";
import { type Declared, declaredBy } from "./declared/declared";
import { planOf } from "./declared/plan";
import { byName } from "./service/observe";

type Check = (operation: Operation, declared: Declared) => Promise<string | undefined>;

/** What the service would refuse, by the argument that changes. Only what is known counts. */
const CHECKS: Readonly<Partial<Record<ArgumentPath, Check>>> = {
  name: nameRefusal,
  "sourceConfig.listenerId": placement,
  "sourceConfig.listenerConfig.k8sNamespace": placement,
  "sourceConfig.integrationId": async ({ client }, { "sourceConfig.integrationId": wanted }) => {
    if (typeof wanted !== "string") return undefined;
    const ids = (await Array.fromAsync(client.integrations.list())).map(({ id }) =>
      id.toLowerCase(),
    );
    return ids.includes(wanted.toLowerCase()) ? undefined : "is not in this workspace";
  },
};

/** Why a create with this name is refused. */
export async function nameRefusal(
  operation: Operation,
  declared: Declared,
): Promise<string | undefined> {
  const { processCache, readState, urn = "" } = operation;
  const { name, isNameDerived, adoptExisting, replacementOrder, props } = declared;
  if (typeof name !== "string") return undefined;
  const existing = await byName(operation, name);
  if (existing === undefined || isBeingDeleted(existing.status)) return undefined;
  if (adoptExisting === true) {
    const { obstacle } = compare(declared, existing);
    return (
      obstacle && `'${name}': deployment ${existing.id} has this name already, and ${obstacle}`
    );
  }
  const state = await readState().catch(() => ({ resources: [], creating: [] }));
  const holder = state.resources.find(({ id }) => id === existing.id)?.urn;
  const isInterrupted = state.creating.some((create) => create.urn === urn);
  // What it replaces is deleted already: the create decides whose the other one is.
  const isDeleted = state.resources.some(
    (resource) => resource.urn === urn && resource.pendingReplacement === true,
  );
  const isOwn = holder === urn;
  const isLeft = isOwn
    ? replacementOrder !== "creates first"
    : processCache.replaced.has(holder ?? "");
  if (isInterrupted || isDeleted || isLeft) return undefined;
  // A derived name that another resource of the stack has is followed by the next one.
  if (isNameDerived && holder !== undefined && !isOwn) return undefined;
  const ways =
    holder === undefined
      ? [ADOPT, "else choose another name"]
      : waysOutOfRecorded(holder, urn, props);
  return `'${name}': deployment ${existing.id} has this name already; ${ways.join("; ")}`;
}

/** A listener of the program counts as declared there. */
async function placement({ client, processCache }: Operation, declared: Declared) {
  const id = declared["sourceConfig.listenerId"];
  const namespace = declared["sourceConfig.listenerConfig.k8sNamespace"];
  if (typeof id !== "string") return undefined;
  const inProcess = processCache.namespaces.get(id);
  const namespaces = inProcess ?? (await client.listeners.get(id)).compute_config.k8s_namespaces;
  if (typeof namespace !== "string" || namespaces?.includes(namespace) !== false) return undefined;
  return `listener ${id} has no namespace '${namespace}', only ${namespaces.join(", ")}`;
}

/** Problems that the create of a replacement would meet after the delete. */
export const replacementRefusals: RemoteCheck<Problem> = async (olds, inputs, context) => {
  const before = declaredBy(olds);
  const declared = declaredBy(inputs);
  const { replaces } = planOf(before, declared);
  const isReplaced = replaces.length > 0 || replacingPaths(olds, inputs).length > 0;
  // A derived name changes with another field, and the plan leaves it out. What is deleted last still has its own.
  const isRenamed =
    before.name !== declared.name || (isReplaced && declared.replacementOrder === "creates first");
  const changed = new Set<ArgumentPath>(isRenamed ? [...replaces, "name"] : replaces);
  const problems = (isEmpty(olds) ? [] : [...changed]).map(async (property) => {
    const refusal = CHECKS[property]?.(operationOf(context), declared);
    const reason = await refusal?.catch((error) =>
      error instanceof NotFound ? error.message : undefined,
    );
    return reason === undefined ? [] : [{ property, reason: `${reason}; nothing was deleted` }];
  });
  return (await Promise.all(problems)).flat();
};

/** The problem of a name that another resource of this run sets too. */
export function nameProblems({ name, isNameDerived }: Declared, context: Context): Problem[] {
  const { urn = "", processCache } = context;
  if (typeof name !== "string" || isNameDerived) return [];
  const first = processCache.names.get(name) ?? urn;
  processCache.names.set(name, first);
  return first === urn ? [] : [{ property: "name", reason: `'${name}' is set for ${first} too` }];
}
