import type { OpenAPIHonoOptions } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import type { z } from "zod";
import type { ValidationProblem } from "../sdk/schema";
import type { Env } from "./platform";

type Issue = z.core.$ZodIssue;

const MAX_BODY_BYTES = 4 * 1024 * 1024;
const PLACES: Record<string, string> = { json: "body", param: "path" };

/** The request does not fit its schema: 422 with every problem. */
export class InvalidRequest extends Error {
  override readonly name = "InvalidRequest";
  readonly problems: readonly ValidationProblem[];
  constructor(problems: readonly ValidationProblem[]) {
    super(problems.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; "));
    this.problems = problems;
  }
}

/** Refuses a request that does not fit its route's schema. */
export const refuseInvalid: NonNullable<OpenAPIHonoOptions<Env>["defaultHook"]> = (result) => {
  if (result.success) return;
  const place = PLACES[result.target] ?? result.target;
  const given: unknown = "data" in result ? result.data : undefined;
  throw new InvalidRequest(toProblems(result.error, place, given));
};

/** Refuses a body that is too large or not JSON, before a schema sees it. */
export const requireJson: MiddlewareHandler = async (c, next) => {
  if (c.req.method !== "POST" && c.req.method !== "PATCH") return next();
  if (Number(c.req.header("Content-Length")) > MAX_BODY_BYTES) throw tooLarge();
  const body = await c.req.text();
  if (Buffer.byteLength(body) > MAX_BODY_BYTES) throw tooLarge();
  if (body === "") return next();
  if (!/^application\/([a-z.+-]+\+)?json\b/i.test(c.req.header("Content-Type") ?? ""))
    throw invalidBody("model_attributes_type", "Input should be JSON, sent as application/json");
  try {
    JSON.parse(body);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidBody("json_invalid", `JSON decode error: ${reason}`);
  }
  return next();
};

function tooLarge(): HTTPException {
  return new HTTPException(413, { message: `the body has more than ${MAX_BODY_BYTES} bytes` });
}

function invalidBody(type: string, msg: string): InvalidRequest {
  return new InvalidRequest([{ loc: ["body"], msg, type }]);
}

/** The problems of a value in the contract's form; what does not come in the body came as text. */
export function toProblems(error: z.ZodError, place: string, value: unknown): ValidationProblem[] {
  const text = place !== "body";
  return error.issues.map((issue) => ({
    loc: [place, ...issue.path.map((part) => (typeof part === "symbol" ? String(part) : part))],
    ...(isMissing(value, issue.path)
      ? { msg: "Field required", type: "missing" }
      : describe(issue, text)),
  }));
}

function isMissing(value: unknown, path: readonly PropertyKey[]): boolean {
  const found = path.reduce<unknown>(
    (within, part) =>
      typeof within === "object" && within !== null ? Reflect.get(within, part) : undefined,
    value,
  );
  return found === undefined;
}

const TYPES: Record<string, readonly [type: string, words: string]> = {
  string: ["string_type", "a valid string"],
  number: ["float_type", "a valid number"],
  int: ["int_type", "a valid integer"],
  boolean: ["bool_type", "a valid boolean"],
  array: ["list_type", "a valid list"],
  record: ["dict_type", "a valid dictionary"],
  object: ["model_attributes_type", "a valid dictionary or object to extract fields from"],
};

const PARSED: Record<string, string> = { number: "int_parsing", int: "int_parsing" };

function describe(issue: Issue, text: boolean): { msg: string; type: string } {
  switch (issue.code) {
    case "invalid_type": {
      const [type, words] = TYPES[issue.expected] ?? [`${issue.expected}_type`, issue.expected];
      return {
        msg: `Input should be ${words}`,
        type: (text && PARSED[issue.expected]) || type,
      };
    }
    case "too_small":
      return bound(issue.origin, "greater", issue.minimum, issue.inclusive ?? true);
    case "too_big":
      return bound(issue.origin, "less", issue.maximum, issue.inclusive ?? true);
    case "invalid_format":
      return issue.format === "guid"
        ? { msg: "Input should be a valid UUID", type: "uuid_parsing" }
        : { msg: `Input ${issue.message}`, type: "string_pattern_mismatch" };
    case "invalid_value":
      return text && issue.values.includes("true")
        ? { msg: "Input should be a valid boolean", type: "bool_parsing" }
        : { msg: `Input should be ${either(issue.values)}`, type: "enum" };
    default:
      return { msg: `Value error, ${issue.message}`, type: "value_error" };
  }
}

function bound(origin: string, side: "greater" | "less", limit: unknown, inclusive: boolean) {
  const kind = origin === "string" ? "string" : origin === "array" ? "list" : undefined;
  if (kind) {
    const [least, word] = side === "greater" ? ["at least", "short"] : ["at most", "long"];
    const what = kind === "string" ? "characters" : "items";
    return {
      msg: `Input should have ${least} ${String(limit)} ${what}`,
      type: `${kind}_too_${word}`,
    };
  }
  const equal = inclusive ? { words: " or equal to", type: "_equal" } : { words: "", type: "" };
  return {
    msg: `Input should be ${side} than${equal.words} ${String(limit)}`,
    type: `${side}_than${equal.type}`,
  };
}

function either(values: readonly unknown[]): string {
  const quoted = values.map((value) => `'${String(value)}'`);
  const last = quoted.pop() ?? "";
  return quoted.length > 0 ? `${quoted.join(", ")} or ${last}` : last;
}
