import type { z } from "zod";
import { InvalidRequest } from "./errors";

/**
 * Parses input with a schema; all problems are told at once, each with its place in the input, but for that of an id, whose
 * words are the real server's.
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
