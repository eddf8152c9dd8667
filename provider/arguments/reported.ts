import { camelKeys } from "./casing";
import type { Row } from "./argument";
import { membersOf, present, type Props } from "./props";

/** The outputs of what a program does not declare. An output that the state lacks is unknown at every preview. */
export function undeclaredOutputs(names: readonly string[]): Props {
  return Object.fromEntries(names.map((name) => [name, null]));
}

/** The outputs of these names in a response; null for what it does not say. */
export function reportedOutputs(names: readonly string[], response: object): Props {
  const values: Props = { ...camelKeys(response) };
  return Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
}

/** The outputs of new inputs where the thing stays as it is: those of these names are the service's. */
export function keptOutputs(
  table: { readonly names: readonly string[] },
  serviceOutputs: readonly string[],
  olds: Props,
  news: Props,
): Props {
  return { ...undeclaredOutputs(table.names), ...news, ...membersOf(olds, serviceOutputs) };
}

/**
 * The arguments as a response has them, where it has them: null, an empty text, and asterisks in the place of one say nothing
 * of a value. What a change of does not send is not on the wire.
 */
export function reportedArguments(rows: readonly Row[], response: object): Props {
  const values: Props = { ...camelKeys(response) };
  const sent = rows.filter(({ effect }) => effect !== "none");
  const entries = sent.flatMap(({ path }): [string, unknown][] => {
    const [name = "", member] = path.split(".");
    const value = values[name];
    return saysNothing(value)
      ? []
      : [[name, member === undefined ? value : present(Object(value))]];
  });
  return Object.fromEntries(entries);
}

function saysNothing(value: unknown): boolean {
  return (value ?? "") === "" || (typeof value === "string" && value.includes("**"));
}
