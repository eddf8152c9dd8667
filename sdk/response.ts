import { isRecord, recordOf, textOf } from "../shared/records";
import type { ZodError, ZodType } from "zod";
import {
  type FieldProblem,
  FRAMEWORK_NOT_FOUND,
  InvalidResponseError,
  NotOfferedError,
  type RequestFailure,
  StatusError,
  statusErrorClass,
  Unprocessable,
} from "./errors";
import { indented } from "../shared/printable";
import { redact } from "../shared/redact";
import { shorten } from "../shared/shorten";

/** A request as the errors about its response describe it. */
export interface Exchange extends Omit<RequestFailure, "reason"> {
  /** Whether a 404, 405 or 410 without a message of the server's own means that there is no such endpoint. */
  readonly endpointsMayBeMissing?: boolean | undefined;
  /** Whether a 400, or a success whose body is only an error message, counts as a 422. */
  readonly refusesInVariousWays?: boolean | undefined;
}

interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly data: string;
}

/** The longest quotation of a response that is not JSON: it may be a proxy's page. Characters. */
const LONGEST_PAGE = 300;

/** Deeper JSON is rejected: neither contract comes near this depth, and recursion over it would overflow the stack. */
const DEEPEST_JSON = 500;

/**
 * Returns the parsed body of a successful response; throws the error that stands for any other. A member that does not fit
 * is read as absent where the schema can do without it, and passed to `onMismatch`: nobody may use it.
 */
export function readResponse<Body>(
  schema: ZodType<Body>,
  response: Response,
  exchange: Exchange,
  toContract: (body: unknown) => unknown,
  onMismatch: (member: string) => void,
): Body {
  const json = parseJson(response.data);
  const body = toContract(json.body);
  if (response.status < 200 || response.status > 299)
    throw statusError(response, json, body, exchange);
  // A body whose encoding is cut off is none. A PATCH may have none too.
  const isCutOff = response.data === "" && exchange.method === "GET";
  const mismatch = (reason: string) =>
    new InvalidResponseError({
      ...exchange,
      isMalformedJson: json.problem === "truncated or malformed" || isCutOff,
      isPage: isHtml(response.data),
      reason: `${response.status} with a response that does not match the contract: ${indented(quote(reason, exchange.secrets))}`,
    });
  // In place of a success without a body it would count as one: a gateway's, as the one to sign in.
  if (isHtml(response.data)) throw mismatch(quotePage(response.data, json, exchange.secrets));
  const { error, data } = schema.safeParse(body);
  if (error === undefined) return data;
  const fitting = parseFitting(schema, body);
  if (fitting.success) {
    for (const issue of error.issues)
      onMismatch(`${placeOf(issue).replace(/\b(resources|\d+)\./g, "")}: ${issue.message}`);
    return fitting.data;
  }
  const detail = detailOf(body);
  if (detail && exchange.refusesInVariousWays) throw statusError(response, json, body, exchange);
  throw mismatch(detail || problemsOf(error, response.data, json, exchange.secrets));
}

/** Parses a body without its members that do not fit, as long as it has any: they are removed from it. */
function parseFitting<Body>(schema: ZodType<Body>, body: unknown) {
  let parsed = schema.safeParse(body);
  const removesAny = ({ issues }: ZodError): boolean =>
    issues.filter(({ path }) => removeMember(body, path)).length > 0;
  while (!parsed.success && removesAny(parsed.error)) parsed = schema.safeParse(body);
  return parsed;
}

/** Removes the innermost member on a path, which may be the one that lacks something. An item of a list stays. */
function removeMember(value: unknown, [first, ...rest]: readonly PropertyKey[]): boolean {
  if (Array.isArray(value)) return removeMember(value[Number(first)], rest);
  const key = String(first);
  if (!isRecord(value) || !Object.hasOwn(value, key)) return false;
  return removeMember(value[key], rest) || Reflect.deleteProperty(value, key);
}

/** The content of a response's body: a JSON value; text that begins like JSON and cannot be parsed; or no JSON at all. */
interface Json {
  readonly body?: unknown;
  readonly problem?: "truncated or malformed" | "too deeply nested" | "not JSON";
}

function parseJson(text: string): Json {
  if (isTooDeep(text)) return { problem: "too deeply nested" };
  try {
    return { body: JSON.parse(text) };
  } catch {
    // Malformed JSON may be a deployment with all its variables: it must not be quoted.
    return { problem: /^\s*[[{]/.test(text) ? "truncated or malformed" : "not JSON" };
  }
}

/** Before it is parsed, by its brackets outside strings: a value of great depth costs much more than its text. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isString && character === "\\") at += 1;
    else if (character === '"') isString = !isString;
    else if (isString) continue;
    else if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    if (depth > DEEPEST_JSON) return true;
  }
  return false;
}

function problemsOf(error: ZodError, text: string, json: Json, secrets: readonly string[]): string {
  if (json.problem !== undefined && text !== "") return quotePage(text, json, secrets);
  const missing = error.issues.filter(isMissing);
  const wrong = error.issues.filter((issue) => !isMissing(issue));
  return [
    ...(missing.length > 0 ? [`missing ${missing.map(placeOf).join(", ")}`] : []),
    ...wrong.map((issue) => `${placeOf(issue)}: ${issue.message}`),
  ].join("; ");
}

const isMissing = ({ message }: { message: string }): boolean =>
  message.endsWith("received undefined");

const placeOf = ({ path }: { path: PropertyKey[] }): string => path.join(".") || "the body";

function statusError(
  response: Response,
  json: Json,
  body: unknown,
  exchange: Exchange,
): StatusError {
  const { status } = response;
  const { secrets } = exchange;
  const problems = status === 422 || status === 400 ? fieldProblems(body) : undefined;
  const detail = problems
    ? quote(problems.map(formatProblem).join("; "), secrets)
    : messageIn(response, json, body, secrets);
  const failure = {
    ...exchange,
    status,
    detail,
    reason: `${status}${detail ? ` ${indented(detail)}` : ""}`,
    retryAfterSeconds: retryAfterSeconds(response.headers),
  };
  if (REFUSED.has(status) && isHtml(response.data))
    return new StatusError({ ...failure, reason: `${failure.reason}, ${OF_A_PROXY}` });
  const refuses =
    status === 422 || (exchange.refusesInVariousWays && (status === 400 || status < 300));
  if (refuses || problems) return new Unprocessable({ ...failure, problems: problems ?? [] });
  if (exchange.endpointsMayBeMissing && isMissingEndpoint(status, body))
    return new NotOfferedError({
      ...failure,
      reason: `${failure.reason}; the control plane does not offer this endpoint, or the base URL is wrong`,
    });
  return new (statusErrorClass(status))(failure);
}

/** The statuses by which a proxy refuses to forward a request. Neither kind of server answers them with a page. */
const REFUSED = new Set([401, 403, 407]);
const OF_A_PROXY =
  "which a proxy or gateway in between has sent: ask its operator, or check HTTPS_PROXY, HTTP_PROXY and NO_PROXY";

/** The messages of web frameworks for a path or a method without a handler. */
const FRAMEWORK_MESSAGES = new Set([FRAMEWORK_NOT_FOUND, "Method Not Allowed"]);
/** By these also a gateway says that it has lost its server. */
const MISSING = new Set([404, 405, 410]);

function isMissingEndpoint(status: number, body: unknown): boolean {
  const detail = detailOf(body);
  return MISSING.has(status) && (!detail || FRAMEWORK_MESSAGES.has(detail));
}

const formatProblem = ({ loc, msg }: FieldProblem): string => `${loc.join(".")}: ${msg}`;

function messageIn(
  { status, headers, data }: Response,
  json: Json,
  body: unknown,
  secrets: readonly string[],
): string {
  const { location } = headers;
  if (status >= 300 && status < 400 && typeof location === "string")
    return `a redirect to ${quote(location, secrets)}, which is not followed because the key would be sent there; set the base URL to the right address`;
  const { detail, message, error } = recordOf(body);
  // Gateways and other agent servers have the latter two. They are quoted, and never decide whether a thing is gone.
  const words = [detail, message, error].map(textOf).find((text) => text);
  return words === undefined ? quotePage(data, json, secrets) : quote(words, secrets);
}

function detailOf(body: unknown): string | undefined {
  return textOf(recordOf(body)["detail"]);
}

/** The contract's form, or (with a 400) zod's, which the JavaScript agent server sends. */
function fieldProblems(body: unknown): FieldProblem[] | undefined {
  const { detail, error } = recordOf(body);
  const { issues } = recordOf(error);
  if (Array.isArray(issues))
    return issues
      .filter(isRecord)
      .map(({ path, message, code }) => fieldProblem(path, message, code));
  if (!Array.isArray(detail)) return undefined;
  return detail.filter(isRecord).map(({ loc, msg, type }) => fieldProblem(loc, msg, type));
}

function fieldProblem(loc: unknown, msg: unknown, type: unknown): FieldProblem {
  const parts: unknown[] = Array.isArray(loc) ? loc : [];
  const isPart = (part: unknown) => typeof part === "string" || typeof part === "number";
  return { loc: parts.filter(isPart), msg: String(msg), type: String(type) };
}

function quote(text: string, secrets: readonly string[]): string {
  return shorten(redact(text, secrets));
}

/** A body without a message of the control plane: JSON without one, or a page of a proxy, of which HTML says most in its title. */
function quotePage(text: string, { problem }: Json, secrets: readonly string[]): string {
  if (problem === undefined) return "";
  if (problem !== "not JSON") return `${problem} JSON of ${text.length} characters`;
  const page = redact(text, secrets);
  const line = (isHtml(page) ? textOfHtml(page) : page).replace(/\s+/g, " ").trim();
  return shorten(isHtml(page) ? `an HTML page, '${line}'` : line, LONGEST_PAGE);
}

const isHtml = (page: string): boolean => /^\s*<(?:!doctype|html)/i.test(page);

function textOfHtml(page: string): string {
  const [, title] = /<title>([^<]*)<\/title>/i.exec(page) ?? [];
  return (
    title ??
    page
      .split("<")
      .map((part) => part.slice(part.indexOf(">") + 1))
      .join(" ")
  );
}

/** RFC 9110 §10.2.3: seconds, or a date, which is compared with the response's own `Date`. */
function retryAfterSeconds(headers: Response["headers"]): number | undefined {
  const text = headers["retry-after"];
  if (typeof text !== "string" || text.trim() === "") return undefined;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const from = Date.parse(String(headers["date"]));
  const until = Date.parse(text);
  return Number.isNaN(until) || Number.isNaN(from) ? undefined : Math.max(0, (until - from) / 1000);
}
