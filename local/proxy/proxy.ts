import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { request as httpRequest, IncomingMessage, type ServerResponse } from "node:http";
import { posix } from "node:path";
import { pipeline, Readable } from "node:stream";
import { ServerUnavailable } from "../drivers/driver";
import { asksForSocket, requestHeaders, responseHeaders, type Destination } from "./headers";
import { traffic, type ForwardedRequest } from "../drivers/process/servers/requests";
import { codeOf, messageOf } from "../../shared/errors";

/** The agent server behind a URL of the platform. */
export interface ProxyTarget {
  /** Resolves with the agent server's origin, for example `http://127.0.0.1:40001`, when the server runs. */
  readonly origin: () => Promise<string>;
  /** Removed from the path, for example `/agents/<deployment id>`. */
  readonly prefix: string;
}

/**
 * Forwards a request to an agent server and streams both bodies, without a time limit, or carries its WebSocket. The
 * agent server's response is written to `outgoing`; otherwise a 404, 502 or 503 is returned.
 */
export async function forward(
  request: Request,
  { origin, prefix }: ProxyTarget,
  outgoing: ServerResponse,
): Promise<Response> {
  const path = pathBelow(prefix, new URL(request.url));
  if (path === undefined || isInternal(path)) return problem(404, "Not Found");
  try {
    // No await between the origin and `track`: a drain waits only a moment for requests that are not counted yet.
    return await proxy(request, path, { origin: await origin(), prefix }, outgoing);
  } catch (error) {
    if (!(error instanceof ServerUnavailable)) throw error;
    return problem(error.status, error.message, error.retryAfterSeconds);
  }
}

async function proxy(
  request: Request,
  path: string,
  destination: Destination,
  outgoing: ServerResponse,
): Promise<Response> {
  const forwarded = traffic.track(destination.origin);
  const signal = AbortSignal.any([request.signal, forwarded.signal]);
  try {
    const asked = asksForSocket(outgoing.req.headers) ? openSocket : send;
    const response = await asked(request, path, destination, signal);
    if (!(response instanceof IncomingMessage)) {
      response(outgoing, forwarded);
      return RESPONSE_ALREADY_SENT;
    }
    response.once("close", forwarded.done);
    for (const [name, values] of Object.entries(responseHeaders(response, request, destination)))
      outgoing.appendHeader(name, values);
    outgoing.writeHead(response.statusCode ?? 502, response.statusMessage);
    outgoing.flushHeaders();
    pipeline(response, outgoing, () => {}); // an error on one side closes the other; nobody is left to report it to
    return RESPONSE_ALREADY_SENT;
  } catch (error) {
    forwarded.done();
    if (request.signal.aborted) throw error;
    const refused = codeOf(error) === "ECONNREFUSED";
    const cause: unknown = forwarded.signal.aborted ? forwarded.signal.reason : error;
    // Nobody else reaches the port that a system error names.
    const reason = messageOf(cause).replaceAll(` ${new URL(destination.origin).host}`, "");
    return problem(refused ? 503 : 502, `the agent server did not answer: ${reason}`);
  }
}

/** Resolves with what answers the upgrade, or with the response that refuses it. */
async function openSocket(
  request: Request,
  path: string,
  destination: Destination,
  signal: AbortSignal,
): Promise<IncomingMessage | ((outgoing: ServerResponse, forwarded: ForwardedRequest) => void)> {
  const { connect, join } = await import("./sockets.js");
  const url = destination.origin.replace(/^http/, "ws") + path;
  const socket = await connect(url, requestHeaders(request, destination), signal);
  if (socket instanceof IncomingMessage) return socket;
  return (outgoing, forwarded) => join(socket, outgoing, forwarded);
}

/**
 * Resolves with the response's head. Uses `node:http`, since `fetch` aborts a stream that is silent for five minutes.
 * Uses each connection once: a request on one that the server is closing would fail and can't be repeated. Asks to keep
 * it open all the same: a server that answers before it has read the body would reset it, and the answer be lost.
 */
function send(
  request: Request,
  path: string,
  destination: Destination,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { hostname, port } = new URL(destination.origin);
  const { method } = request;
  const headers = { ...requestHeaders(request, destination), connection: "keep-alive" };
  return new Promise((resolve, reject) => {
    const options = { hostname, port, path, method, headers, signal, agent: false };
    const outgoing = httpRequest(options, resolve);
    outgoing.on("error", reject);
    const body = request.body ? Readable.fromWeb(request.body) : Readable.from([]);
    pipeline(body, outgoing, () => {}); // errors surface on `outgoing` too
  });
}

/** Path and query for the agent server. */
function pathBelow(prefix: string, { pathname, search }: URL): string | undefined {
  if (pathname === prefix) return `/${search}`;
  return pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) + search : undefined;
}

/** Whether an agent server may read the path as below `/internal`, where the real ones delete data without a key. */
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

function problem(status: number, detail: string, retryAfterSeconds = 1): Response {
  const headers = status === 503 ? { "retry-after": String(retryAfterSeconds) } : undefined;
  return Response.json({ detail }, { status, ...(headers && { headers }) });
}
