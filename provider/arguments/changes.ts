import type { Row } from "./argument";
import { Unknown } from "./decode";
import { cannotBeRemoved, type Problem } from "./problems";
import { membersOf, type Props, sameKnown, valueAt } from "./props";

/** A change of the arguments, by their paths. */
export interface Changes<Path extends string = string> {
  /** The immutable arguments that change. An unknown value is not known to be another one. */
  readonly replaces: Path[];
  /** The immutable arguments of which only the update knows whether they change. */
  readonly mayReplace: Path[];
  /** The arguments that differ, those above among them. */
  readonly changed: Path[];
  /** The arguments that are removed, unless their value was the service's default. */
  readonly removed: Path[];
}

/** The comparisons of the values of arguments: of two declared states, and of a declared one with a response. */
export function comparisonsOf<Path extends string, Values extends Readonly<Record<Path, unknown>>>(
  rows: readonly Row<Path>[],
) {
  const rowAt: ReadonlyMap<string, Row> = new Map(rows.map((row) => [row.path, row]));
  const paths = rows.map(({ path }) => path);
  const immutable = rows.filter(({ effect }) => effect === "replace").map(({ path }) => path);
  /**
   * Whether two values of an argument are equal, whatever their form: the one rule of every comparison. Null and absence
   * are the same to the engine, at any depth: what differs in that alone is never updated.
   */
  const same = (path: string, left: unknown, right: unknown): boolean => {
    const row = rowAt.get(path);
    return sameKnown(formOf(row, left), formOf(row, right));
  };
  const changes = (before: Values, after: Values): Changes<Path> => {
    const inForce = (values: Values, path: Path): unknown =>
      values[path] ?? rowAt.get(path)?.serviceDefault;
    const differs = (path: Path): boolean =>
      !same(path, inForce(before, path), inForce(after, path));
    return {
      changed: paths.filter((path) => !same(path, before[path], after[path])),
      removed: paths.filter((path) => differs(path) && after[path] === undefined),
      replaces: immutable.filter((path) => differs(path) && after[path] !== Unknown),
      mayReplace: immutable.filter((path) => after[path] === Unknown && before[path] !== undefined),
    };
  };
  /** The problems of an update that would remove what the service cannot clear. */
  const removalProblems = ({ removed }: { readonly removed: readonly string[] }): Problem[] =>
    rows.flatMap(({ path, insteadOfRemoving }) =>
      insteadOfRemoving !== undefined && removed.includes(path)
        ? [cannotBeRemoved(path, insteadOfRemoving)]
        : [],
    );
  return {
    /** Those of which another value is another resource. */
    immutable,
    same,
    /** Compares values with later ones. */
    changes,
    removalProblems,
    /** The same of what changes: a replacement can remove it. */
    updateProblems: (before: Values, after: Values): Problem[] => {
      const changed = changes(before, after);
      const isReplaced = changed.replaces.length + changed.mayReplace.length > 0;
      return isReplaced ? [] : removalProblems(changed);
    },
    /**
     * The values of a response that are others than the declared ones. What is not declared, or not known yet, is none of
     * them. Neither is what the response does not show: a service clears no argument.
     */
    drift: (declared: Values, shown: Values & { readonly props: Props }): Partial<Values> => {
      const drifted = paths.filter(
        (path) =>
          declared[path] !== undefined &&
          declared[path] !== Unknown &&
          valueAt(shown.props, path) !== undefined &&
          !same(path, declared[path], shown[path]),
      );
      const lists = drifted.filter((path) => rowAt.get(path)?.isUnordered);
      return {
        ...membersOf<Values>(shown, drifted),
        ...Object.fromEntries(lists.map((path) => [path, inOrderOf(declared[path], shown[path])])),
      };
    },
  };
}

function formOf(row: Row | undefined, value: unknown): unknown {
  if (row?.isUnordered && Array.isArray(value)) return [...new Set(value.map(String))].toSorted();
  return typeof value === "string" ? (row?.form?.(value) ?? value) : value;
}

/** Declared items keep their order, others follow. */
function inOrderOf(declared: unknown, shown: unknown): unknown {
  if (!Array.isArray(declared) || !Array.isArray(shown)) return shown;
  return [
    ...declared.filter((item) => shown.includes(item)),
    ...shown
      .filter((item) => !declared.includes(item))
      .map(String)
      .toSorted(),
  ];
}
