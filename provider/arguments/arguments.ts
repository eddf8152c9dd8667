import { z } from "zod";
import type { Argument, Effect, Row, Table, ValuesOf } from "./argument";
import { comparisonsOf } from "./changes";
import { decode, encode, Unknown } from "./decode";
import { type Problem, problemsOf, type Rule, withOthers } from "./problems";
import { membersOf, present, type Props, sameValue, UNKNOWN, valueAt } from "./props";
import { withValueAt } from "./property-path";
import { sourceProblems } from "./source-problems";

/**
 * The arguments of a resource type, by the path that users write and in the order of messages: one table for the
 * check, the decoding, the diff, what can be removed, and the schema of other languages. The inputs, or the outputs of
 * a state, which hold them, are decoded once; what is compared and merged is the values.
 */
export function defineArguments<Arguments extends Table>(
  table: Arguments,
  rules: readonly Rule[] = [],
) {
  type Path = keyof Arguments & string;
  type Values = ValuesOf<Arguments>;
  type State = Values & { readonly props: Props };
  const isPath = (path: string): path is Path => Object.hasOwn(table, path);
  const paths = Object.keys(table).filter(isPath);
  const names = [...new Set(paths.map((path) => path.split(".")[0] ?? path))];
  const rows = paths.map((path): Row<Path> => ({ ...rowOf(table, path), path }));
  const schema = z.object(shapeOf(rows.map((row) => [row.path.split("."), row.schema])));
  const comparisons = comparisonsOf<Path, Values>(rows);
  /** A declared state with other values, written into what it was read from too; undefined removes one. */
  const withValues = <Declared extends State>(
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
  };
  return {
    ...comparisons,
    /** Every argument. */
    rows,
    paths,
    /** The names of the arguments at the top, in the order in which they are shown. */
    names,
    /** The paths of all arguments whose change has this effect. */
    pathsOf: (effect: Effect): Path[] =>
      rows.filter((row) => row.effect === effect).map(({ path }) => path),
    /** The paths of the settings that change, which an update sends. */
    sent: (olds: Values, news: Values): Path[] =>
      comparisons.changes(olds, news).changed.filter((path) => table[path]?.effect === "settings"),
    /** Every problem of the inputs at once. */
    problems: (inputs: Props): Problem[] =>
      withOthers(sourceProblems(rows, inputs), problemsOf(schema, inputs, rules)),
    decode: (props: Props): State => decodeAll(table, props),
    withValues,
    /** A declared state with the values that a response has otherwise. */
    withDrift: (declared: State, shown: State): State =>
      withValues(declared, comparisons.drift(declared, shown)),
    /** The arguments that a program sets. */
    given: (props: Props): Props => present(membersOf(props, names)),
    /** Without the arguments that declare what the service takes without them. */
    withoutDefaults: (props: Props): Props =>
      rows
        .filter(({ serviceDefault }) => serviceDefault !== undefined)
        .filter(({ path, serviceDefault }) => valueAt(props, path) === serviceDefault)
        .reduce((rest, { path }) => withValueAt(rest, path.split("."), undefined), props),
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
      const below = rows.filter(([[first]]) => first === head);
      const [, whole] = below.find(([keys]) => keys.length === 1) ?? [];
      const members = below.map(([[, ...rest], schema]) => [rest, schema] as const);
      return [head, whole ?? z.object(shapeOf(members)).optional()];
    }),
  );
}
