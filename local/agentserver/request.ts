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
  const problem = problemOf(body, MOST_LEVELS);
  if (problem !== undefined) throw new InvalidRequest(`JSON in request body ${problem}`);
  return parse(schema, body);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InvalidRequest("Invalid JSON in request body", { cause });
  }
}

/** Why JSON can't be kept: SQLite aborts the process over half a character, which JSON can spell. */
function problemOf(value: unknown, levels: number): string | undefined {
  if (typeof value === "string") return problemOfText(value);
  if (typeof value !== "object" || value === null) return undefined;
  if (levels === 0) return `is nested deeper than ${MOST_LEVELS} levels`;
  for (const [name, member] of Object.entries(value)) {
    const problem = problemOfName(name) ?? problemOf(member, levels - 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Schemas leave that one out, for safety, and nobody would be told. */
function problemOfName(name: string): string | undefined {
  return name === "__proto__" ? "has a member __proto__, which can't be kept" : problemOfText(name);
}

function problemOfText(text: string): string | undefined {
  const half = /\p{Surrogate}/u.exec(text)?.[0].charCodeAt(0).toString(16);
  return half && `has the half of a character: \\u${half}`;
}
