import type { IncomingMessage } from "node:http";

/** Where a request is handed on. */
export interface Destination {
  /** The agent server's, for example `http://127.0.0.1:40001`. */
  readonly origin: string;
  /** What the agent server does not see of the path, for example `/agents/<deployment id>`. */
  readonly prefix: string;
}

/** Headers of one connection, not of the message (RFC 9110, 7.6.1). */
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

/** Those of the request that the agent server gets. */
export function requestHeaders(request: Request, destination: Destination): Record<string, string> {
  const { host, protocol } = new URL(request.url);
  const dropped = hopByHop(request.headers.get("connection"));
  const headers = Object.fromEntries([...request.headers].filter(([name]) => !dropped.has(name)));
  if (!request.body) delete headers["content-length"];
  const isChunked = request.body !== null && headers["content-length"] === undefined;
  return {
    ...headers,
    ...(isChunked && { "transfer-encoding": "chunked" }), // not by itself for every method
    host: new URL(destination.origin).host,
    "x-forwarded-host": host,
    "x-forwarded-proto": protocol.slice(0, -1),
    "x-forwarded-prefix": destination.prefix,
  };
}

/** Those of the answer that the caller gets. */
export function responseHeaders(
  answer: IncomingMessage,
  request: Request,
  destination: Destination,
): Record<string, string[]> {
  const dropped = hopByHop(answer.headers.connection);
  const headers: Record<string, string[]> = {};
  for (const [name, values = []] of Object.entries(answer.headersDistinct)) {
    if (dropped.has(name) || name.startsWith("access-control-")) continue;
    headers[name] =
      name === "location" ? values.map((value) => relocate(value, request, destination)) : values;
  }
  return headers;
}

function hopByHop(connection: string | null | undefined): ReadonlySet<string> {
  const named = (connection ?? "").split(",").map((name) => name.trim().toLowerCase());
  return new Set([...HOP_BY_HOP, ...named]);
}

/** Where the caller finds what the agent server calls by its own address, or by a path of its own. */
function relocate(location: string, request: Request, { origin, prefix }: Destination): string {
  if (location.startsWith("/") && !location.startsWith("//")) return prefix + location;
  if (!location.startsWith(`${origin}/`)) return location;
  return new URL(request.url).origin + prefix + location.slice(origin.length);
}
