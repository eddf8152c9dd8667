import { z } from "zod";
import type { Argument, Effect, Row } from "./argument";
import { type Decoded, decode, encode, Unknown } from "./decode";
import { cannotBeRemoved, type Problem, problemsOf, type Rule } from "./problems";
import { membersOf, type Props, sameValue, UNKNOWN, valueAt } from "./props";
import { withValueAt } from "./property-path";
import { sourceProblems } from "./source-problems";

type Table = Readonly<Record<string, Argument>>;

/** The values of arguments by path. */
export type ValuesOf<Arguments extends Table> = {
  readonly [Path in keyof Arguments]: Arguments[Path] extends {
    decode: (value: unknown) => infer Value;
  }
    ? Value | Unknown
    : Decoded<z.output<Arguments[Path]["schema"]>>;
};

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

/**
 * The arguments of a kind of resource, by the path that users write and in the order of messages: one table for the
 * check, the decoding, the diff, what can be removed, and the schema of other languages. The inputs, or the outputs of
 * a state, which hold them, are decoded once; what is compared and merged is the values.
 */
export function defineArguments<Arguments extends Table>(
  table: Arguments,
  rules: readonly Rule[] = [],
) {
  type Path = keyof Arguments & string;
  type Values = ValuesOf<Arguments>;
  const isPath = (path: string): path is Path => Object.hasOwn(table, path);
  const paths = Object.keys(table).filter(isPath);
  const rows = paths.map((path): Row<Path> => ({ ...rowOf(table, path), path }));
  const pathsOf = (effect: Effect): Path[] =>
    rows.filter((row) => row.effect === effect).map(({ path }) => path);
  const schema = z.object(shapeOf(rows.map((row) => [row.path.split("."), row.schema])));
  const immutable = pathsOf("replace");
  const formOf = (path: string, value: unknown): unknown =>
    typeof value === "string" ? (table[path]?.form?.(value) ?? value) : value;
  const same = (path: string, left: unknown, right: unknown): boolean =>
    sameValue(formOf(path, left), formOf(path, right));
  return {
    /** Every argument. */
    rows,
    paths,
    /** The names of the arguments at the top, in the order in which they are shown. */
    names: [...new Set(paths.map((path) => path.split(".")[0] ?? path))],
    /** Those of which another value is another resource. */
    immutable,
    /** The paths of all arguments whose change has this effect. */
    pathsOf,
    /** Every problem of the inputs at once. */
    problems: (inputs: Props): Problem[] => {
      const own = sourceProblems(rows, inputs);
      const others = problemsOf(schema, inputs, rules);
      const isNew = ({ property }: Problem) => !own.some((known) => known.property === property);
      return [...own, ...others.filter(isNew)];
    },
    decode: (props: Props): Values & { readonly props: Props } => decodeAll(table, props),
    /** A declared state with other values, written into what it was read from too; undefined removes one. */
    withValues: <Declared extends Values & { readonly props: Props }>(
      declared: Declared,
      values: Partial<Values>,
    ): Declared => {
      const props = paths
        .filter((path) => Object.hasOwn(values, path) && !sameValue(declared[path], values[path]))
        .reduce<Props>(
          (written, path) => withValueAt(written, path.split("."), encode(values[path])),
          declared.props,
        );
      return { ...declared, ...values, props };
    },
    /** Without the arguments that declare what the service takes without them. */
    withoutDefaults: (props: Props): Props =>
      rows
        .filter(({ serviceDefault }) => serviceDefault !== undefined)
        .filter(({ path, serviceDefault }) => valueAt(props, path) === serviceDefault)
        .reduce((rest, { path }) => withValueAt(rest, path.split("."), undefined), props),
    /** Whether two values of an argument are equal, whatever their form: the one rule of every comparison. */
    same,
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
      return membersOf<Values>(shown, drifted);
    },
    /** Compares values with later ones. */
    changes: (before: Values, after: Values): Changes<Path> => {
      const inForce = (values: Values, path: Path): unknown =>
        values[path] ?? table[path]?.serviceDefault;
      const differs = (path: Path): boolean =>
        !same(path, inForce(before, path), inForce(after, path));
      return {
        changed: paths.filter((path) => !same(path, before[path], after[path])),
        removed: paths.filter((path) => differs(path) && after[path] === undefined),
        replaces: immutable.filter((path) => differs(path) && after[path] !== Unknown),
        mayReplace: immutable.filter(
          (path) => after[path] === Unknown && before[path] !== undefined,
        ),
      };
    },
    /** The problems of an update that would remove what the service cannot clear. */
    removalProblems: ({ removed }: { readonly removed: readonly string[] }): Problem[] =>
      rows.flatMap(({ path, insteadOfRemoving }) =>
        insteadOfRemoving !== undefined && removed.includes(path)
          ? [cannotBeRemoved(path, insteadOfRemoving)]
          : [],
      ),
  };
}

function rowOf(table: Table, path: string): Argument {
  const row = table[path];
  if (row === undefined) throw new Error(`the table has no argument ${path}`);
  return row;
}

function decodeAll<Arguments extends Table>(
  table: Arguments,
  props: Props,
): ValuesOf<Arguments> & { readonly props: Props };
function decodeAll(table: Table, props: Props): Props {
  const values = Object.entries(table).map(([path, row]) => [path, valueIn(row, props, path)]);
  return { ...Object.fromEntries(values), props };
}

function valueIn(row: Argument, props: Props, path: string): unknown {
  const value = valueAt(props, path);
  if (row.decode === undefined) return decode(row.schema, value);
  return value === UNKNOWN ? Unknown : row.decode(value);
}

/** The schema of all arguments together. The schema of an object has its members itself. */
function shapeOf(rows: readonly (readonly [readonly string[], z.ZodType])[]) {
  const heads = [...new Set(rows.map(([[head = ""]]) => head))];
  return Object.fromEntries(
    heads.map((head): [string, z.ZodType] => {
      const own = rows.filter(([[first]]) => first === head);
      const [, whole] = own.find(([keys]) => keys.length === 1) ?? [];
      const members = own.map(([[, ...rest], schema]) => [rest, schema] as const);
      return [head, whole ?? z.object(shapeOf(members)).optional()];
    }),
  );
}
