import { type Input, Output, output } from "@pulumi/pulumi";
import { isRecord } from "../../shared/records";

type Variables = Record<string, Input<string | null>>;

/**
 * Variables with null for an undefined one. Pulumi omits undefined members, and an omitted variable is removed from the
 * deployment; null arrives, and `check` refuses it by name. Each variable, and each secret, is an output of its own: an
 * output is unknown as a whole while a part of it is.
 */
export function variables(
  given: Input<Variables>,
  wrap: <Value>(value: Input<Value>) => Input<Value> = (value) => value,
): Input<Record<string, Input<string | null>>> {
  if (isLater(given))
    return wrap(output(given).apply((values) => withNull(values, (value) => value ?? null)));
  if (!isRecord(given)) return wrap(given);
  return withNull(given, (value) =>
    wrap(isLater(value) ? output(value).apply((known) => known ?? null) : (value ?? null)),
  );
}

function isLater<Value>(value: Input<Value>): value is Output<Value> | Promise<Value> {
  return Output.isInstance(value) || value instanceof Promise;
}

/** Anything but an object stays as it is: `check` reports it. */
function withNull<Value, Given>(
  values: Readonly<Record<string, Value>>,
  orNull: (value: Value | undefined) => Given,
) {
  return isRecord(values)
    ? Object.fromEntries(Object.entries(values).map(([name, value]) => [name, orNull(value)]))
    : values;
}
