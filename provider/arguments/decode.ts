import { z } from "zod";
import { isRecord } from "../../shared/records";
import { hasUnknown, type Props, UNKNOWN } from "./props";

/** A value that is known only during the update. */
export const Unknown: unique symbol = Symbol("unknown");
export type Unknown = typeof Unknown;

/**
 * A value of a schema as a program declares it. Undefined stands for absence, null and what does not fit the schema;
 * `Unknown` for what is not known yet, in objects of known members for each member by itself.
 */
type Decoded<Value> = DecodedMember<NonNullable<Value>> | Unknown | undefined;
type DecodedMember<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? string extends keyof Value
      ? Value
      : { readonly [Name in keyof Value]-?: Decoded<Value[Name]> }
    : Value;

/** The arguments of a resource by name, decoded, and what they were read from. */
export type DecodedArguments<Schema extends z.ZodObject> = {
  readonly [Name in keyof z.output<Schema>]-?: Decoded<z.output<Schema>[Name]>;
} & { readonly props: Props };

/** Reads the inputs of a resource, or the outputs of its state, which hold them. Never throws: `problemsOf` reports. */
export function decode<Schema extends z.ZodObject>(
  schema: Schema,
  props: Props,
): DecodedArguments<Schema>;
export function decode(schema: z.ZodObject, props: Props): Record<string, unknown> {
  return { ...membersOf(schema, props), props };
}

/** The value where it is known. */
export function known<Value>(value: Value | Unknown): Value | undefined {
  return value === Unknown ? undefined : value;
}

function membersOf({ shape }: z.ZodObject, value: Props): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(shape).map(([name, member]) => [name, valueOf(member, value[name])]),
  );
}

function valueOf(schema: z.core.$ZodType, value: unknown): unknown {
  if (value === UNKNOWN) return Unknown;
  if (value === undefined || value === null) return undefined;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return valueOf(schema.unwrap(), value);
  if (hasKnownMembers(schema) && isRecord(value)) return membersOf(schema, value);
  return hasUnknown(value) ? Unknown : (z.safeParse(schema, value).data ?? undefined);
}

/** Whether a schema is that of an object which has no other members than the ones that it names. */
export function hasKnownMembers(schema: z.core.$ZodType): schema is z.ZodObject {
  return schema instanceof z.ZodObject && schema.def.catchall === undefined;
}
