import { z } from "zod";
import { isRecord, mapMembers, textOf } from "../../shared/records";
import { hasUnknown, present, type Props, UNKNOWN } from "./props";

/** A value that is known only during the update. */
export const Unknown: unique symbol = Symbol("unknown");
export type Unknown = typeof Unknown;

/**
 * A value of a schema as a program declares it. Undefined stands for absence, null and what does not fit the schema;
 * `Unknown` for what is not known yet, in objects of known members for each member by itself. A string is any string:
 * `problemsOf` reports one that breaks a rule, and a state may hold one that the service has and this release does not know.
 */
export type Decoded<Value> = DecodedMember<NonNullable<Value>> | Unknown | undefined;
type DecodedMember<Value> = Value extends string
  ? string
  : Value extends readonly unknown[]
    ? Value
    : Value extends object
      ? string extends keyof Value
        ? Value
        : { readonly [Name in keyof Value]-?: Decoded<Value[Name]> }
      : Value;

/** Reads a value of a schema. Never throws: `problemsOf` reports. */
export function decode<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): Decoded<z.output<Schema>>;
export function decode(schema: z.ZodType, value: unknown): unknown {
  return valueOf(schema, value);
}

/** The members of a free-form object, each by itself; undefined for anything else. */
export function decodeMembers(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isRecord(value)) return undefined;
  return mapMembers(present(value), (member) => (hasUnknown(member) ? Unknown : member));
}

/** A decoded value in the form in which the engine passes it. */
export function encode(value: unknown): unknown {
  if (value === Unknown) return UNKNOWN;
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, encode(member)]));
}

/** The value where it is known. */
export function known<Value>(value: Value | Unknown): Value | undefined {
  return value === Unknown ? undefined : value;
}

function membersOf({ shape }: z.ZodObject, value: Props): Record<string, unknown> {
  return mapMembers(shape, (member, name) => valueOf(member, value[name]));
}

function valueOf(schema: z.core.$ZodType, value: unknown): unknown {
  if (value === UNKNOWN) return Unknown;
  if (value === undefined || value === null) return undefined;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return valueOf(schema.unwrap(), value);
  if (hasKnownMembers(schema) && isRecord(value)) return membersOf(schema, value);
  if (STRINGS.some((type) => schema instanceof type)) return textOf(value);
  return hasUnknown(value) ? Unknown : (z.safeParse(schema, value).data ?? undefined);
}

const STRINGS = [z.ZodString, z.ZodStringFormat, z.ZodEnum] as const;

/** Whether a schema is that of an object which has no other members than the ones that it names. */
export function hasKnownMembers(schema: z.core.$ZodType): schema is z.ZodObject {
  return schema instanceof z.ZodObject && schema.def.catchall === undefined;
}
