import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { posix } from "node:path";
import { pipeline, Readable } from "node:stream";
import { traffic } from "./servers/traffic";

/** Where a request goes. */
export interface ProxyTarget {
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

/**
 * Hands a request on to an agent server; both bodies are streamed, byte for byte, however long that takes. The agent
 * server's answer is written to `outgoing`; what is returned is that it has been sent, or why there is none.
 */
export async function forward(
  request: Request,
  target: ProxyTarget,
  outgoing: ServerResponse,
): Promise<Response> {
  const path = pathBelow(target.prefix, new URL(request.url));
  if (path === undefined || isInternal(path)) return problem(404, "Not Found");
  const leave = traffic.enter(target.origin);
  try {
    const answer = await send(request, path, target);
    answer.once("close", leave);
    const headers = responseHeaders(answer, request, target);
    outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, headers);
    outgoing.flushHeaders();
    pipeline(answer, outgoing, () => {}); // when one side breaks off, so does the other: there is nobody to be told
    return RESPONSE_ALREADY_SENT;
  } catch (error) {
    leave();
    if (request.signal.aborted) throw error;
    const refused = error instanceof Error && "code" in error && error.code === "ECONNREFUSED";
    const words = error instanceof Error ? error.message : String(error);
    return problem(refused ? 503 : 502, `the agent server did not answer: ${words}`);
  }
}

/**
 * Resolves with the answer's head. On `node:http`, since `fetch` ends a stream that is silent for five minutes; without
 * kept connections, since one that the agent server is just closing would fail a request that can't be sent again.
 */
function send(request: Request, path: string, target: ProxyTarget): Promise<IncomingMessage> {
  const { hostname, port } = new URL(target.origin);
  const { method, signal } = request;
  const headers = requestHeaders(request, target);
  return new Promise((resolve, reject) => {
    const options = { hostname, port, path, method, headers, signal, agent: false };
    const outgoing = httpRequest(options, resolve);
    outgoing.on("error", reject);
    const body = request.body ? Readable.fromWeb(request.body) : Readable.from([]);
    pipeline(body, outgoing, () => {}); // what goes wrong is an error of `outgoing` too
  });
}

function requestHeaders(request: Request, target: ProxyTarget): Record<string, string> {
  const { host, protocol } = new URL(request.url);
  const dropped = hopByHop(request.headers.get("connection"));
  const headers = Object.fromEntries([...request.headers].filter(([name]) => !dropped.has(name)));
  if (!request.body) delete headers["content-length"];
  const isChunked = request.body !== null && headers["content-length"] === undefined;
  return {
    ...headers,
    ...(isChunked && { "transfer-encoding": "chunked" }), // not by itself for every method
    host: new URL(target.origin).host,
    "x-forwarded-host": host,
    "x-forwarded-proto": protocol.slice(0, -1),
    "x-forwarded-prefix": target.prefix,
  };
}

function responseHeaders(
  answer: IncomingMessage,
  request: Request,
  target: ProxyTarget,
): Record<string, string[]> {
  const dropped = hopByHop(answer.headers.connection);
  const headers: Record<string, string[]> = {};
  for (const [name, values = []] of Object.entries(answer.headersDistinct)) {
    if (dropped.has(name) || name.startsWith("access-control-")) continue;
    headers[name] =
      name === "location" ? values.map((value) => relocate(value, request, target)) : values;
  }
  return headers;
}

function hopByHop(connection: string | null | undefined): ReadonlySet<string> {
  const named = (connection ?? "").split(",").map((name) => name.trim().toLowerCase());
  return new Set([...HOP_BY_HOP, ...named]);
}

/** Where the caller finds what the agent server calls by its own address, or by a path of its own. */
function relocate(location: string, request: Request, { origin, prefix }: ProxyTarget): string {
  if (location.startsWith("/") && !location.startsWith("//")) return prefix + location;
  if (!location.startsWith(`${origin}/`)) return location;
  return new URL(request.url).origin + prefix + location.slice(origin.length);
}

/** Path and query as the agent server sees them. */
function pathBelow(prefix: string, { pathname, search }: URL): string | undefined {
  if (pathname === prefix) return `/${search}`;
  return pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) + search : undefined;
}

/** Whether an agent server could read the path as one below `/internal`, where the real ones wipe data unasked. */
function isInternal(path: string): boolean {
  const [encoded = ""] = path.split("?");
  const plain = posix.normalize(decode(decode(encoded)).replaceAll("\\", "/"));
  return /^\/*internal(\/|$)/i.test(plain);
}

function decode(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (code) =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  );
}

function problem(status: number, detail: string): Response {
  const headers = status === 503 ? { "retry-after": "1" } : undefined;
  return Response.json({ detail }, { status, ...(headers && { headers }) });
}
