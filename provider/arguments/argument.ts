import type { z } from "zod";
import type { Decoded, Unknown } from "./decode";
import type { Form } from "./forms";

/**
 * The effect of a change of an argument: another resource, a new revision, a change in place without one, or nothing
 * that is sent.
 */
export type Effect = "replace" | "revision" | "settings" | "none";

/** A row of an argument table. */
export interface Argument {
  /** Its type and its rules, as `check` reports them. */
  readonly schema: z.ZodType;
  /** Reads a value that is known. @default the value of the schema */
  readonly decode?: (value: unknown) => unknown;
  /** Its canonical form: values of one form are equal, in every comparison. @default the text itself */
  readonly form?: Form;
  /** Whether it is a list of texts whose order means nothing. @default no */
  readonly isUnordered?: boolean;
  readonly effect: Effect;
  /** The sources that it is for. @default all, or the kind has none */
  readonly sources?: readonly string[] | undefined;
  /** The sources that cannot do without it. @default none */
  readonly requiredBy?: readonly string[];
  /** The values that only newer versions of the public service know (dialect `langsmith`). @default none */
  readonly extended?: "any" | readonly unknown[];
  /** The path of the argument without which it means nothing. @default none */
  readonly needs?: string | undefined;
  /** The service's default: to declare it replaces and removes nothing. @default unknown */
  readonly serviceDefault?: unknown;
  /** The value to declare in place of removing it, since the service cannot clear it: null means "leave as it is" there. */
  readonly insteadOfRemoving?: string;
}

/** One argument and its path. */
export type Row<Path extends string = string> = Argument & { readonly path: Path };

/** The arguments of a resource type, by path. */
export type Table = Readonly<Record<string, Argument>>;

/** The values of arguments by path. */
export type ValuesOf<Arguments extends Table> = {
  readonly [Path in keyof Arguments]: Arguments[Path] extends {
    decode: (value: unknown) => infer Value;
  }
    ? Value | Unknown
    : Decoded<z.output<Arguments[Path]["schema"]>>;
};
