import { tokenIn } from "../shared/authorization";

/** Throws a `TypeError` that names the first value which an HTTP header would not carry unchanged, and does not repeat it. */
export function requireHeaderValues(values: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(values)) {
    const problem = value === undefined ? undefined : headerValueProblem(value);
    if (problem !== undefined) throw new TypeError(`${name} ${problem}`);
  }
}

/**
 * Why an HTTP header would not carry a value unchanged; undefined where it would. A receiver drops blanks at both ends,
 * control characters are not allowed, and the encoding of other than ASCII is not defined (RFC 9110 §5.5).
 */
export function headerValueProblem(value: string): string | undefined {
  if (value === "") return "must be a non-empty string";
  if (value !== value.trim())
    return "begins or ends with a blank or a line break, which HTTP drops; remove it";
  if (/[^ -~]/.test(value))
    return "contains a control character or one outside ASCII, which an HTTP header cannot carry; check that it was copied correctly";
  return undefined;
}

/**
 * The header of an agent server's own key: `Authorization` of one that names its scheme, such as `Bearer eyJ…`, as the
 * authentication that people write for their graphs reads it; else `X-Api-Key`.
 */
export function keyHeader(apiKey: string): Readonly<Record<string, string>> {
  return { [tokenIn(apiKey) === undefined ? "x-api-key" : "authorization"]: apiKey };
}

/** The client sets these itself. */
const OWN = /^(x-api-key|x-tenant-id|user-agent|content-.*|host|connection|transfer-encoding)$/i;

/** Why headers can't be sent beside the client's own; undefined where they can. It repeats no value. */
export function headersProblem(
  headers: Readonly<Record<string, string>>,
  bearerToken: string | undefined,
): string | undefined {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return "has a name that is not valid for a header";
    if (OWN.test(name) || (bearerToken !== undefined && /^authorization$/i.test(name)))
      return `has ${name}, which the client sets itself`;
    const problem = headerValueProblem(value);
    if (problem !== undefined) return `has ${name}, which ${problem}`;
  }
  return undefined;
}
