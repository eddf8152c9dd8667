import { z } from "zod";

/** A value, such as a response's body, as its schema has it; fails with what does not fit. */
export function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  throw new Error(`${z.prettifyError(error)}\nin ${JSON.stringify(value)}`);
}

/** A value that fits every type: an argument that is wrong on purpose. */
export function untyped(value: unknown): ReturnType<typeof JSON.parse> {
  return value;
}
