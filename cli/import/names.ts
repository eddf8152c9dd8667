import { createHash } from "node:crypto";
import { recordOf } from "../../shared/records";
import type { Found } from "./existing";

/**
 * A name for each owner: the wanted one, in characters that backends, shells and the configuration take. All that want the same one get a
 * part of their id's hash, so that no name depends on the order of a list.
 */
function uniqueNames<Owner>(
  wishes: readonly { readonly owner: Owner; readonly id: string; readonly name: string }[],
): [owner: Owner, name: string][] {
  const plain = (text: string): string => text.split(/\W+/).filter(Boolean).join("-") || "unnamed";
  return [...Map.groupBy(wishes, ({ name }) => plain(name))].flatMap(([name, group]) =>
    group.map(({ owner, id }): [Owner, string] => {
      const hash = createHash("sha256").update(id).digest("hex").slice(0, 7);
      return [owner, group.length === 1 ? name : `${name}-${hash}`];
    }),
  );
}

/** The logical names: those of the service. An assistant has the name of its deployment before its own. */
export function logicalNames(found: readonly Found[]): ReadonlyMap<Found, string> {
  return new Map(
    [...Map.groupBy(found, ({ kind }) => kind)].flatMap(([, ofKind]) =>
      uniqueNames(
        ofKind.map((owner) => ({
          owner,
          id: owner.importId,
          name: [owner.deployment?.name ?? [], owner.name].flat().join("-"),
        })),
      ),
    ),
  );
}

/** A secret value of the stack's configuration, and the variables that a program sets to it; none to the agent servers' key. */
export interface Setting {
  readonly key: string;
  readonly value: string;
  readonly variables: readonly { readonly deployment: string; readonly name: string }[];
}

/**
 * The settings that the variables of deployments take: one for a variable that has one value wherever it is set, else one
 * for each deployment. The agent servers' key has one of its own, whatever the variables are called.
 */
export function settingsOf(found: readonly Found[], agentKey?: string): Setting[] {
  const all = found.flatMap(({ name: deployment, inputs }) =>
    Object.entries(recordOf(inputs["secrets"])).map(([name, value]) => {
      return { deployment, name, value: String(value) };
    }),
  );
  const wishes = [...Map.groupBy(all, ({ name }) => name)].flatMap(([name, owner]) => {
    const isShared = owner.length > 1 && owner.every(({ value }) => value === owner[0]?.value);
    if (isShared) return [{ owner, id: name, name }];
    return owner.map((one) => {
      return { owner: [one], id: variableOf(one), name: `${one.deployment}-${name}` };
    });
  });
  const ofAgents = agentKey === undefined ? [] : [{ owner: [], id: "", name: "agentServerApiKey" }];
  return uniqueNames([...wishes, ...ofAgents]).map(([variables, key]) => ({
    key,
    value: variables[0]?.value ?? agentKey ?? "",
    variables: variables.map(({ deployment, name }) => ({ deployment, name })),
  }));
}

/** A variable as a key of maps. */
export function variableOf({ deployment, name }: Setting["variables"][number]): string {
  return JSON.stringify([deployment, name]);
}
