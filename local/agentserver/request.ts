import type { Context } from "hono";
import type { z } from "zod";
import { InvalidRequest } from "./errors";
import { parse } from "./parse";

/** SQLite's JSON functions, which search metadata, read no deeper than 1000 levels. */
const MOST_LEVELS = 100;

/** Reads a request's body as what `schema` describes; a body without bytes counts as `{}`. */
export async function bodyOf<Schema extends z.ZodType>(
  context: Context,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const text = await context.req.text();
  const body = text === "" ? {} : parseJson(text);
  if (isDeeperThan(MOST_LEVELS, body))
    throw new InvalidRequest(`JSON in request body is nested deeper than ${MOST_LEVELS} levels`);
  return parse(schema, body);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InvalidRequest("Invalid JSON in request body", { cause });
  }
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(levels - 1, member));
}
