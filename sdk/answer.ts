import { isRecord } from "../shared/records";
import type { ZodError, ZodType } from "zod";
import {
  type FieldProblem,
  InvalidResponseError,
  NotOfferedError,
  type RequestFailure,
  type StatusError,
  statusErrorClass,
  Unprocessable,
} from "./errors";
import { redact } from "../shared/redact";

/** What a request was, for the errors about its answer. */
export interface Exchange extends Omit<RequestFailure, "words"> {
  /** Whether a 404 or 405 without own words means that there is no such endpoint. */
  readonly endpointsMayBeMissing?: boolean | undefined;
  /** Whether a 400, or a success whose body only says what is wrong, is a refusal as a 422 is. */
  readonly refusesInVariousWays?: boolean | undefined;
}

interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly data: string;
}

/** How much of an answer that is no JSON is quoted. */
const QUOTED_CHARACTERS = 300;

/** Deeper JSON is not read: nothing in either contract is near it, and whoever walks it by recursion would fail. */
const DEEPEST_JSON = 500;

/** Reads an answer: its parsed body when it is a success, else throws the error that stands for it. */
export function answerOf<Answer>(
  schema: ZodType<Answer>,
  response: Response,
  exchange: Exchange,
  toContract: (body: unknown) => unknown,
): Answer {
  const body = toContract(parseJson(response.data));
  if (response.status < 200 || response.status > 299) throw statusError(response, body, exchange);
  const parsed = schema.safeParse(response.data === "" ? undefined : body);
  if (parsed.success) return parsed.data;
  const detail = detailOf(body);
  if (detail && exchange.refusesInVariousWays) throw statusError(response, body, exchange);
  throw new InvalidResponseError({
    ...exchange,
    isCutOff: isCutOff(response.data),
    words:
      `${response.status} with an answer that does not fit the contract: ` +
      (detail || problemsOf(parsed.error, response.data, exchange.secrets)),
  });
}

function parseJson(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    return isTooDeep(body) ? undefined : body;
  } catch {
    return undefined;
  }
}

/** Level by level, since recursion is what the depth would break. */
function isTooDeep(body: unknown): boolean {
  let level = [body];
  for (let depth = 0; depth <= DEEPEST_JSON && level.length > 0; depth += 1)
    level = level.flatMap((value) =>
      typeof value === "object" && value !== null ? Object.values(value) : [],
    );
  return level.length > 0;
}

function problemsOf(error: ZodError, text: string, secrets: readonly string[]): string {
  if (parseJson(text) === undefined && text !== "") return quote(text, secrets);
  const missing = error.issues.filter(({ message }) => message.endsWith("received undefined"));
  const wrong = error.issues.filter((issue) => !missing.includes(issue));
  return [
    ...(missing.length > 0 ? [`without ${missing.map(placeOf).join(", ")}`] : []),
    ...wrong.map((issue) => `${placeOf(issue)}: ${issue.message}`),
  ].join("; ");
}

const placeOf = ({ path }: { path: PropertyKey[] }): string => path.join(".") || "a body";

function statusError(response: Response, body: unknown, exchange: Exchange): StatusError {
  const { status } = response;
  const problems = status === 422 || status === 400 ? fieldProblems(body) : undefined;
  const detail = problems?.map(sentence).join("; ") ?? wordsOf(response, body, exchange.secrets);
  const failure = {
    ...exchange,
    status,
    detail,
    words: `${status}${detail ? ` ${detail}` : ""}`,
    retryAfterSeconds: retryAfterSeconds(response.headers),
  };
  const refuses =
    status === 422 || (exchange.refusesInVariousWays && (status === 400 || status < 300));
  if (refuses || problems) return new Unprocessable({ ...failure, problems: problems ?? [] });
  if (exchange.endpointsMayBeMissing && isMissingEndpoint(status, body))
    return new NotOfferedError({
      ...failure,
      words: `${failure.words}; the control plane does not offer this, or the base URL leads elsewhere`,
    });
  return new (statusErrorClass(status))(failure);
}

/** What web frameworks answer by themselves for a path or a method that nobody serves. */
const FRAMEWORK_WORDS = new Set(["Not Found", "Method Not Allowed"]);

function isMissingEndpoint(status: number, body: unknown): boolean {
  const detail = detailOf(body);
  return (status === 404 || status === 405) && (!detail || FRAMEWORK_WORDS.has(detail));
}

const sentence = ({ loc, msg }: FieldProblem): string => `${loc.join(".")}: ${msg}`;

function wordsOf(
  { status, headers, data }: Response,
  body: unknown,
  secrets: readonly string[],
): string {
  if (status >= 300 && status < 400)
    return `a redirect to ${String(headers["location"])}, which is not followed since the key would travel; set the base URL to the right address`;
  return detailOf(body) ?? quote(data, secrets);
}

function detailOf(body: unknown): string | undefined {
  const detail = isRecord(body) ? body["detail"] : undefined;
  return typeof detail === "string" ? detail : undefined;
}

/** The contract's form, or (with a 400) that of zod, which the JavaScript agent server has. */
function fieldProblems(body: unknown): FieldProblem[] | undefined {
  const { detail, error } = isRecord(body) ? body : {};
  const issues = isRecord(error) ? error["issues"] : undefined;
  if (Array.isArray(issues))
    return issues.filter(isRecord).map(({ path, message, code }) => ({
      loc: Array.isArray(path) ? path.filter((part) => typeof part !== "object") : [],
      msg: String(message),
      type: String(code),
    }));
  if (!Array.isArray(detail)) return undefined;
  return detail.filter(isRecord).map(({ loc, msg, type }) => ({
    loc: Array.isArray(loc) ? loc.filter((part) => typeof part !== "object") : [],
    msg: String(msg),
    type: String(type),
  }));
}

function quote(text: string, secrets: readonly string[]): string {
  // Broken JSON may be a deployment with everybody's variables; and what is cut first is not recognised later.
  if (/^\s*[[{]/.test(text))
    return `JSON that is cut off, broken or nested too deeply, ${text.length} characters`;
  const line = redact(text, secrets).replace(/\s+/g, " ").trim();
  return line.length > QUOTED_CHARACTERS ? `${line.slice(0, QUOTED_CHARACTERS)}…` : line;
}

/** Whether a text that does not parse begins as JSON does. */
function isCutOff(text: string): boolean {
  return /^\s*[[{]/.test(text) && parseJson(text) === undefined;
}

/** RFC 9110 §10.2.3: seconds, or a date, which is measured against the answer's own date. */
function retryAfterSeconds(headers: Response["headers"]): number | undefined {
  const text = headers["retry-after"];
  if (typeof text !== "string" || text.trim() === "") return undefined;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const from = Date.parse(String(headers["date"]));
  const until = Date.parse(text);
  return Number.isNaN(until) || Number.isNaN(from) ? undefined : Math.max(0, (until - from) / 1000);
}
