import { type Input, Output, output } from "@pulumi/pulumi";
import { isRecord } from "../../shared/records";

type Variables = Record<string, Input<string>>;

/**
 * Variables of which an undefined one is null. Pulumi leaves out what is undefined, and a variable that is left out is
 * removed from the deployment: as null it arrives, and is refused by its name. Each one by itself, also each secret: of an
 * output nothing is known while a part of it is not.
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

/** What is no map goes through as it is: check reports it. */
function withNull<Value, Given>(
  values: Readonly<Record<string, Value>>,
  orNull: (value: Value | undefined) => Given,
) {
  return isRecord(values)
    ? Object.fromEntries(Object.entries(values).map(([name, value]) => [name, orNull(value)]))
    : values;
}
