import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

/** The target of a forwarded request. */
export interface Destination {
  /** The agent server's origin, for example `http://127.0.0.1:40001`. */
  readonly origin: string;
  /** Removed from the path, for example `/agents/<deployment id>`. */
  readonly prefix: string;
}

/**
 * The beginning of the name of the page's cookie. Browsers send it to every port of this machine, also with requests to
 * agent servers, which must neither see nor set it.
 */
export const PAGE_COOKIE = "agentserver_page";

/** Response headers that reach beyond the agent's own path: to other agents, or to all cookies of this machine. */
const NOT_PASSED_ON = ["service-worker-allowed", "clear-site-data"];

/** Headers of a connection, not of the message (RFC 9110, 7.6.1). */
const HOP_BY_HOP = [
  "connection",
  "expect",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** Whether a request asks for a WebSocket. */
export function asksForSocket({ upgrade, connection = "" }: IncomingHttpHeaders): boolean {
  return upgrade?.toLowerCase() === "websocket" && /\bupgrade\b/i.test(connection);
}

/** The headers of the request to the agent server. */
export function requestHeaders(request: Request, destination: Destination): Record<string, string> {
  const { host, protocol } = new URL(request.url);
  const dropped = hopByHop(request.headers.get("connection"));
  const headers = Object.fromEntries([...request.headers].filter(([name]) => !dropped.has(name)));
  const cookies = withoutPageCookie(headers["cookie"]);
  delete headers["cookie"];
  if (cookies) headers["cookie"] = cookies;
  if (!request.body) delete headers["content-length"];
  const isChunked = request.body !== null && headers["content-length"] === undefined;
  return {
    ...headers,
    ...(isChunked && { "transfer-encoding": "chunked" }), // Node does not set it for every method
    host, // of which the servers make the URLs in their responses
    "x-forwarded-host": host,
    "x-forwarded-proto": protocol.slice(0, -1),
    "x-forwarded-prefix": destination.prefix,
  };
}

/**
 * The headers of the response to the caller. The `Location` of a 200 stays as it is: public clients append it to the
 * agent server's URL to go on with a run whose response was cut off.
 */
export function responseHeaders(
  response: IncomingMessage,
  request: Request,
  destination: Destination,
): Record<string, string[]> {
  const dropped = hopByHop(response.headers.connection);
  const headers: Record<string, string[]> = {};
  for (const [name, values = []] of Object.entries(response.headersDistinct)) {
    if (dropped.has(name) || name.startsWith("access-control-")) continue;
    if (NOT_PASSED_ON.includes(name)) continue;
    if (name === "location" && response.statusCode !== 200)
      headers[name] = values.map((value) => rewriteLocation(value, request, destination));
    else if (name === "set-cookie")
      headers[name] = values.filter((value) => !value.includes(PAGE_COOKIE));
    else headers[name] = values;
  }
  return headers;
}

/** The cookies of a request but the page's. */
function withoutPageCookie(cookies = ""): string {
  const pairs = cookies.split(";").map((pair) => pair.trim());
  return pairs.filter((pair) => !pair.startsWith(PAGE_COOKIE)).join("; ");
}

function hopByHop(connection: string | null | undefined): ReadonlySet<string> {
  const named = (connection ?? "").split(",").map((name) => name.trim().toLowerCase());
  return new Set([...HOP_BY_HOP, ...named]);
}

/** Adds the prefix to a `Location` on this host that lacks it: servers know their host and, in part, the prefix. */
function rewriteLocation(location: string, request: Request, { prefix }: Destination): string {
  const { origin } = new URL(request.url);
  const path = location.startsWith(`${origin}/`) ? location.slice(origin.length) : location;
  const isOurs = path.startsWith("/") && !path.startsWith("//");
  const isPrefixed = path.startsWith(prefix) && /^([/?#]|$)/.test(path.slice(prefix.length));
  if (!isOurs || isPrefixed) return location;
  return location.slice(0, -path.length) + prefix + path;
}
