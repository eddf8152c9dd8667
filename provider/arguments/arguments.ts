import { z } from "zod";
import { decode } from "./decode";
import { type Problem, problemsOf, type Rule } from "./problems";
import { hasUnknown, type Props, sameValue } from "./props";

/** What is known of one argument of a resource. */
interface Argument {
  readonly schema: z.ZodType;
  /** Another value is another resource. @default false */
  readonly immutable?: boolean;
  /** What the service takes where it is not declared: to declare it replaces nothing. @default unknown */
  readonly serviceDefault?: unknown;
}

/** What a change of the arguments comes to. */
export interface Changes {
  /** The immutable arguments that change. An unknown value is not known to be another one. */
  readonly replaces: string[];
  /** The immutable arguments of which only the update knows whether they change. */
  readonly mayReplace: string[];
  /** The arguments that differ, those above among them. */
  readonly changed: string[];
  /** The arguments that are removed, unless their value was the service's default. */
  readonly removed: string[];
}

/** The arguments of a kind of resource: one table for the check, the diff and the decoding of its inputs. */
export function defineArguments<Table extends Readonly<Record<string, Argument>>>(
  table: Table,
  rules: readonly Rule[] = [],
) {
  const schema = schemaOf(table);
  const names = Object.keys(table);
  const immutable = names.filter((name) => table[name]?.immutable === true);
  return {
    /** In the order in which they are shown. */
    names,
    /** Those of which another value is another resource. */
    immutable,
    problems: (inputs: Props): Problem[] => problemsOf(schema, inputs, rules),
    decode: (props: Props) => decode(schema, props),
    /** Without the arguments that declare what the service takes without them. */
    withoutDefaults: (props: Props): Props =>
      Object.fromEntries(
        Object.entries(props).filter(([name, value]) => value !== table[name]?.serviceDefault),
      ),
    /** Compares the outputs of a state with inputs. */
    changes: (
      { props: olds }: { readonly props: Props },
      { props: news }: { readonly props: Props },
    ): Changes => {
      const changed = names.filter((name) => !sameValue(olds[name], news[name]));
      const inForce = (props: Props, name: string): unknown =>
        props[name] ?? table[name]?.serviceDefault;
      const differs = (name: string): boolean =>
        !sameValue(inForce(olds, name), inForce(news, name));
      const isUnknown = (name: string): boolean => hasUnknown(news[name]);
      return {
        changed,
        removed: names.filter((name) => differs(name) && (news[name] ?? undefined) === undefined),
        replaces: immutable.filter((name) => differs(name) && !isUnknown(name)),
        mayReplace: immutable.filter(
          (name) => isUnknown(name) && (olds[name] ?? undefined) !== undefined,
        ),
      };
    },
  };
}

type Shape<Table extends Readonly<Record<string, Argument>>> = {
  [Name in keyof Table]: Table[Name]["schema"];
};

function schemaOf<Table extends Readonly<Record<string, Argument>>>(
  table: Table,
): z.ZodObject<Shape<Table>>;
function schemaOf(table: Readonly<Record<string, Argument>>): z.ZodObject {
  return z.object(
    Object.fromEntries(Object.entries(table).map(([name, { schema }]) => [name, schema])),
  );
}
