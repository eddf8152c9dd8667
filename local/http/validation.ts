import type { OpenAPIHonoOptions } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import type { z } from "zod";
import type { ValidationProblem } from "../../sdk/schema";
import { textWithin } from "../../shared/body";
import type { Env } from "./env";
import { describeIssue } from "./validation-messages";
import { messageOf } from "../../shared/errors";

const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** Nested arrays and objects. Kubernetes objects have far fewer levels. */
const MAX_DEPTH = 100;
/** Values of all levels. zod lists every problem, and 100,000 of them are more than its recursion can hand on. */
const MAX_VALUES = 20_000;

/** The request does not match its schema: 422 with every problem. */
export class InvalidRequest extends Error {
  override readonly name = "InvalidRequest";
  readonly problems: readonly ValidationProblem[];
  constructor(problems: readonly ValidationProblem[]) {
    super(problems.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; "));
    this.problems = problems;
  }
}

const LOCATIONS: Readonly<Record<string, string>> = { json: "body", param: "path" };

/** Rejects a request that does not match its route's schema, or whose strings cannot be stored. */
export const rejectInvalid: NonNullable<OpenAPIHonoOptions<Env>["defaultHook"]> = (result) => {
  if (result.success) {
    if (result.target === "json") refuseInvalidText(result.data);
    return;
  }
  const given: unknown = "data" in result ? result.data : undefined;
  const place = LOCATIONS[result.target] ?? result.target;
  throw new InvalidRequest(toProblems(result.error, place, given));
};

/** Rejects a body that is not valid JSON before it is validated. Its validator finds it in the contract's names. */
export const requireJson: MiddlewareHandler<Env> = async (c, next) => {
  const body = JSON.stringify(c.var.dialect.toContract.body(await readJson(c)));
  const { url, method, headers, signal } = c.req.raw;
  c.req.raw = new Request(url, { method, headers, signal, body });
  await next();
};

/** Reads a JSON body. Throws `InvalidRequest`, or 413. */
export async function readJson(c: Context<Env>): Promise<unknown> {
  const body = await readText(c.req.raw);
  if (body === "") throw invalidBody("missing", "Field required");
  if (!/^application\/([a-z.+-]+\+)?json\b/i.test(c.req.header("Content-Type") ?? ""))
    throw invalidBody(
      "model_attributes_type",
      "Input should be JSON with Content-Type application/json",
    );
  const parsed = parseJson(body);
  refuseExcess(parsed);
  return parsed;
}

async function readText({ headers, body }: Request): Promise<string> {
  if (Number(headers.get("Content-Length")) > MAX_BODY_BYTES) throw tooLarge();
  const text = await textWithin(MAX_BODY_BYTES, body);
  if (text === undefined) throw tooLarge();
  return text;
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    const reason = messageOf(error);
    throw invalidBody("json_invalid", `JSON decode error: ${reason}`);
  }
}

const INVALID_TEXT = {
  msg: "Input should be a valid string without NUL or unpaired surrogates",
  type: "string_unicode",
};

/** Throws `InvalidRequest` at a string with NUL or an unpaired surrogate: databases and environment variables can't hold it. */
export function refuseInvalidText(value: unknown): void {
  const loc = findInvalidText(value);
  if (loc) throw new InvalidRequest([{ loc: ["body", ...loc], ...INVALID_TEXT }]);
}

/** The path to the first such string. */
function findInvalidText(value: unknown): (string | number)[] | undefined {
  if (typeof value === "string") return /\0|\p{Surrogate}/u.test(value) ? [] : undefined;
  for (const [name, member] of entriesOf(value)) {
    const within = findInvalidText(name) ?? findInvalidText(member);
    if (within) return [Array.isArray(value) ? Number(name) : name, ...within];
  }
  return undefined;
}

/** Throws `InvalidRequest` if a body has too many values or levels. Returns how many values it has. */
function refuseExcess(value: unknown, depth = 0): number {
  if (depth > MAX_DEPTH)
    throw invalidBody("json_invalid", `JSON is nested deeper than ${MAX_DEPTH} levels`);
  let values = 1;
  for (const [, member] of entriesOf(value)) {
    values += refuseExcess(member, depth + 1);
    if (values > MAX_VALUES)
      throw invalidBody("json_invalid", `JSON has more than ${MAX_VALUES} values`);
  }
  return values;
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

/** The problems of a value in the contract's form. Values outside the body were parsed from text. */
export function toProblems(error: z.ZodError, place: string, value: unknown): ValidationProblem[] {
  return error.issues.flatMap((issue) =>
    pathsOf(issue).map((path) => ({
      loc: [place, ...path.map((part) => (typeof part === "symbol" ? String(part) : part))],
      ...(isMissing(value, path)
        ? { msg: "Field required", type: "missing" }
        : describeIssue(issue, place !== "body")),
    })),
  );
}

function pathsOf(issue: z.core.$ZodIssue): PropertyKey[][] {
  if (issue.code !== "unrecognized_keys") return [issue.path];
  return issue.keys.map((key) => [...issue.path, key]);
}

function isMissing(value: unknown, path: readonly PropertyKey[]): boolean {
  const found = path.reduce<unknown>(
    (within, part) =>
      typeof within === "object" && within !== null ? Reflect.get(within, part) : undefined,
    value,
  );
  return found === undefined;
}

function invalidBody(type: string, msg: string): InvalidRequest {
  return new InvalidRequest([{ loc: ["body"], msg, type }]);
}

function tooLarge(): HTTPException {
  return new HTTPException(413, { message: `the body exceeds ${MAX_BODY_BYTES} bytes` });
}
