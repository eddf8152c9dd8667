import type { z } from "zod";
import { InvalidRequest } from "./errors";

/**
 * Parses input with a schema; the error names all problems with their paths. The message for an id is the real server's,
 * without a path.
 */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  throw new InvalidRequest(error.issues.map(describe).join("; "), { cause: error });
}

function describe(issue: z.core.$ZodIssue): string {
  const isId = issue.code === "invalid_format" && issue.format === "guid";
  return isId || issue.path.length === 0
    ? issue.message
    : `${issue.path.join(".")}: ${issue.message}`;
}
