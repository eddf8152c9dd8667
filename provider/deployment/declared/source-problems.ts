import { Source } from "../../../sdk/schema/deployment";
import { usesField } from "../../../sdk/schema/source-rules";
import type { Problem } from "../../arguments/problems";
import { UNKNOWN, valueAt } from "../../arguments/props";
import { type Argument, ARGUMENTS } from "./argument-table";
import { READ_ONLY } from "./declarable";
import type { Declared } from "./declared";

/** What the source does not take, what it requires, and what needs another argument. */
export function sourceProblems({ values, inputs }: Declared): Problem[] {
  const source = Source.safeParse(values.source).data;
  if (source === undefined) return [];
  const missing = ARGUMENTS.filter(({ requiredBy }) => requiredBy.includes(source))
    .filter(({ path }) => values[path] === undefined || values[path] === "")
    .map(({ path }) => ({ property: path, reason: `is required for the source ${source}` }));
  const foreign = ARGUMENTS.filter(({ sources }) => sources && !sources.includes(source))
    .map(({ path }): [string, unknown] => [path, values[path]])
    .concat([[READ_ONLY, valueAt(inputs, READ_ONLY)]])
    .filter(([, value]) => isDeclared(value))
    .map(([property]) => ({ property, reason: `can't be set for the source ${source}` }));
  const isMissing = ({ path, sources }: Argument): boolean =>
    values[path] === undefined && (sources === undefined || sources.includes(source));
  const alone = ARGUMENTS.filter(({ path }) => isDeclared(values[path])).flatMap(
    ({ path, needs }) =>
      ARGUMENTS.filter((needed) => needed.path === needs && isMissing(needed)).map((needed) => ({
        property: path,
        reason: `needs ${needed.path}`,
      })),
  );
  return [...missing, ...foreign, ...alone];
}

/** Whether a value is set and known. */
function isDeclared(value: unknown): boolean {
  return usesField(value) && value !== UNKNOWN;
}
