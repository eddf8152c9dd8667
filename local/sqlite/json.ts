import { z } from "zod";

/** A string that holds JSON of this shape, as a text column does. */
export function json<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(schema);
}
