import fc from "fast-check";

/** PROPERTY_SEED repeats the values of an earlier run. */
export const SEED = Number(process.env["PROPERTY_SEED"] ?? Math.floor(Math.random() * 2 ** 31));

/**
 * Holds a property against that many generated values. What fast-check says of a failure has its seed: the same values
 * come again with it in PROPERTY_SEED.
 */
export function check<Value>(
  numRuns: number,
  values: fc.Arbitrary<Value>,
  holds: (value: Value) => Promise<void>,
): Promise<void> {
  return fc.assert(fc.asyncProperty(values, holds), {
    numRuns,
    seed: SEED,
    includeErrorInReport: true,
  });
}
