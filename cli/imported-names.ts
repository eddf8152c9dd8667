import { createHash } from "node:crypto";
import { recordOf } from "../shared/records";
import type { Found } from "./existing";

/** Something that wants a name. */
interface Wish {
  readonly id: string;
  readonly name: string;
}

/**
 * A name for each id: the wanted one, in characters that backends, shells and the configuration take. All that want the same one get a
 * part of their id's hash, so that no name depends on the order of a list.
 */
function uniqueNames(wishes: readonly Wish[]): [id: string, name: string][] {
  const plain = (text: string): string => text.split(/\W+/).filter(Boolean).join("-") || "unnamed";
  return wishes.map(({ id, name }) => {
    const isShared = wishes.some((other) => other.id !== id && plain(other.name) === plain(name));
    const hash = createHash("sha256").update(id).digest("hex").slice(0, 7);
    return [id, isShared ? `${plain(name)}-${hash}` : plain(name)];
  });
}

/** The logical names by id: those of the service. An assistant has the name of its deployment before its own. */
export function logicalNames(found: readonly Found[]): ReadonlyMap<string, string> {
  const kinds = [...new Set(found.map(({ kind }) => kind))];
  return new Map(
    kinds.flatMap((kind) =>
      uniqueNames(
        found
          .filter((one) => one.kind === kind)
          .map(({ id, name, deployment }) => ({
            id,
            name: deployment === undefined ? name : `${deployment.name}-${name}`,
          })),
      ),
    ),
  );
}

/** A secret value of the stack's configuration, and the variables that a program sets to it. */
export interface Setting {
  readonly key: string;
  readonly value: string;
  readonly variables: readonly { readonly deployment: string; readonly name: string }[];
}

/**
 * The settings that the variables of deployments take: one for a variable that has one value wherever it is set, else one
 * for each deployment.
 */
export function settingsOf(found: readonly Found[]): Setting[] {
  const all = found.flatMap(({ name: deployment, inputs }) =>
    Object.entries(recordOf(inputs["secrets"])).map(([name, value]) => ({
      deployment,
      name,
      value: String(value),
    })),
  );
  const byKey = new Map<string, typeof all>();
  for (const variable of all) {
    const { name, deployment, value } = variable;
    const others = all.filter((other) => other.name === name);
    const isShared = others.length > 1 && others.every((other) => other.value === value);
    const wish = isShared ? name : `${deployment}-${name}`;
    byKey.set(wish, [...(byKey.get(wish) ?? []), variable]);
  }
  const keys = new Map(uniqueNames([...byKey.keys()].map((wish) => ({ id: wish, name: wish }))));
  return [...byKey].map(([wish, variables]) => ({
    key: keys.get(wish) ?? wish,
    value: variables[0]?.value ?? "",
    variables: variables.map(({ deployment, name }) => ({ deployment, name })),
  }));
}
