import { type Input, Output, output } from "@pulumi/pulumi";
import { isRecord, mapMembers } from "../../shared/records";

type Variables = Record<string, Input<string | null>>;

/**
 * Variables with null for an undefined one. Pulumi omits undefined members, and an omitted variable is removed from the
 * deployment; null arrives, and `check` refuses it by name. Each variable is an output of its own: an output is
 * unknown as a whole while a part of it is.
 */
export function variables(given: Input<Variables>): Input<Variables> {
  if (isLater(given))
    return output(given).apply((values) => withNull(values, (value) => value ?? null));
  if (!isRecord(given)) return given;
  return withNull(given, (value) =>
    isLater(value) ? output(value).apply((known) => known ?? null) : (value ?? null),
  );
}

/** Whether a program's value is known only when the engine runs. */
export function isLater<Value>(value: Input<Value>): value is Output<Value> | Promise<Value> {
  return Output.isInstance(value) || value instanceof Promise;
}

/** Anything but an object stays as it is: `check` reports it. */
function withNull<Value, Given>(
  values: Readonly<Record<string, Value>>,
  orNull: (value: Value | undefined) => Given,
) {
  return isRecord(values) ? mapMembers(values, orNull) : values;
}
