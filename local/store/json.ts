import { z } from "zod";

/** A text column that holds JSON of this shape. */
export function json<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(schema);
}
