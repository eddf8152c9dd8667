import fc from "fast-check";

const SEED = process.env["PROPERTY_SEED"];

/**
 * Holds a property against that many generated values. What fast-check says of a failure has its seed: the same values
 * come again with it in PROPERTY_SEED.
 */
export function check<Value>(
  numRuns: number,
  values: fc.Arbitrary<Value>,
  holds: (value: Value) => Promise<void>,
): Promise<void> {
  const property = fc.asyncProperty(values, holds);
  return fc.assert(property, { numRuns, ...(SEED !== undefined && { seed: Number(SEED) }) });
}
