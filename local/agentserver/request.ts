import type { Context } from "hono";
import type { z } from "zod";
import { InvalidRequest } from "./errors";
import { parse } from "./parse";

/** SQLite's JSON functions, which search metadata, read no deeper than 1000 levels. */
const MAX_DEPTH = 100;

/** Parses a request's body with a schema; an empty body counts as `{}`. */
export async function bodyOf<Schema extends z.ZodType>(
  context: Context,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const text = await context.req.text();
  const body = text === "" ? {} : parseJson(text);
  const problem = problemOf(body, MAX_DEPTH);
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

/** Why JSON cannot be stored: a lone surrogate, which JSON can contain, makes SQLite's binding abort the process. */
function problemOf(value: unknown, levels: number): string | undefined {
  if (typeof value === "string") return problemOfText(value);
  if (typeof value !== "object" || value === null) return undefined;
  if (levels === 0) return `is nested deeper than ${MAX_DEPTH} levels`;
  for (const [name, member] of Object.entries(value)) {
    const problem = problemOfName(name) ?? problemOf(member, levels - 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Schemas silently drop `__proto__`. */
function problemOfName(name: string): string | undefined {
  return name === "__proto__"
    ? "contains the key __proto__, which cannot be stored"
    : problemOfText(name);
}

function problemOfText(text: string): string | undefined {
  const surrogate = /\p{Surrogate}/u.exec(text)?.[0].charCodeAt(0).toString(16);
  return surrogate && `contains a lone surrogate: \\u${surrogate}`;
}
