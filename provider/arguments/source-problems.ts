import { usesField } from "../../sdk/schema/source-rules";
import type { Row } from "./argument";
import type { Problem } from "./problems";
import { type Props, UNKNOWN, valueAt } from "./props";

/**
 * Problems of the source in the inputs: arguments that it does not take, that it requires, or that need another one. Nothing for a kind
 * without the argument `source`, and where it is not known.
 */
export function sourceProblems(rows: readonly Row[], inputs: Props): Problem[] {
  const source = rows.find(({ path }) => path === "source");
  const name = inputs["source"];
  if (source === undefined || !source.schema.safeParse(name).success || typeof name !== "string")
    return [];
  const isFor = ({ sources }: Row): boolean => sources === undefined || sources.includes(name);
  const isSet = ({ path }: Row): boolean => {
    const value = valueAt(inputs, path);
    return usesField(value) && value !== UNKNOWN;
  };
  const isMissing = ({ path }: Row): boolean => valueAt(inputs, path) === undefined;
  return [
    ...rows
      .filter(({ requiredBy = [] }) => requiredBy.includes(name))
      .filter((row) => isMissing(row) || valueAt(inputs, row.path) === "")
      .map(({ path }) => ({ property: path, reason: `is required for the source ${name}` })),
    ...rows
      .filter((row) => !isFor(row) && isSet(row))
      .map(({ path }) => ({ property: path, reason: `can't be set for the source ${name}` })),
    ...rows
      .filter(isSet)
      .flatMap(({ path, needs }) =>
        rows
          .filter((needed) => needed.path === needs && isFor(needed) && isMissing(needed))
          .map((needed) => ({ property: path, reason: `needs ${needed.path}` })),
      ),
  ];
}
