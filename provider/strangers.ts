import { z } from "zod";
import { camelPath, snakeKeys } from "./crossing";
import type { Problem } from "./problems";
import { isRecord } from "./props";

/** Members that the schema does not have at any depth, most of them misspelt: they would be lost on the way. */
export function strangers(schema: z.ZodObject, name: string, value: unknown): Problem[] {
  return strangersAt(schema, [name], isRecord(value) ? snakeKeys(value) : value);
}

function strangersAt(
  schema: z.core.$ZodType | undefined,
  path: readonly PropertyKey[],
  value: unknown,
): Problem[] {
  if (schema === undefined)
    return [{ property: camelPath(path), reason: "is no field of the service" }];
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return strangersAt(schema.unwrap(), path, value);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((item, at) => strangersAt(schema.element, [...path, at], item));
  if (!(schema instanceof z.ZodObject) || !isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    strangersAt(schema.shape[key], [...path, key], member),
  );
}
