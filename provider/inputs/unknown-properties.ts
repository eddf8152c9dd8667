import { distance } from "fastest-levenshtein";
import { z } from "zod";
import { camelName, camelPath, snakeKeys } from "./casing";
import type { Problem } from "./problems";
import { isRecord } from "../../shared/records";

/** Members that the schema does not have at any depth, most of them misspelt: they would be lost on the way. */
export function unknownProperties(schema: z.ZodObject, name: string, value: unknown): Problem[] {
  return strangersAt(schema, [name], isRecord(value) ? snakeKeys(value) : value);
}

function strangersAt(
  schema: z.core.$ZodType,
  path: readonly PropertyKey[],
  value: unknown,
): Problem[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return strangersAt(schema.unwrap(), path, value);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((item, at) => strangersAt(schema.element, [...path, at], item));
  if (!(schema instanceof z.ZodObject) || !isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const known = schema.shape[key];
    return known === undefined
      ? [stranger([...path, key], Object.keys(schema.shape).map(camelName))]
      : strangersAt(known, [...path, key], member);
  });
}

function stranger(path: readonly PropertyKey[], known: readonly string[]): Problem {
  const name = camelName(String(path.at(-1)));
  const meant = known.find((other) => distance(name, other) <= Math.max(2, name.length / 2.5));
  const question = meant === undefined ? "" : `; did you mean ${meant}?`;
  return { property: camelPath(path), reason: `is no field of the service${question}` };
}
