import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { posix } from "node:path";
import { pipeline, Readable } from "node:stream";
import { ServerUnavailable } from "../drivers/driver";
import { requestHeaders, responseHeaders, type Destination } from "./headers";
import { traffic } from "../drivers/process/servers/requests";
import { codeOf, messageOf } from "../../shared/errors";

/** Where a request goes. */
export interface ProxyTarget {
  /** The agent server's, for example `http://127.0.0.1:40001`; asked for when it is needed, and waited for. */
  readonly origin: () => Promise<string>;
  /** What the agent server does not see of the path, for example `/agents/<deployment id>`. */
  readonly prefix: string;
}

/**
 * Hands a request on to an agent server; both bodies are streamed, byte for byte, however long that takes. The agent
 * server's answer is written to `outgoing`; what is returned is that it has been sent, or why there is none.
 */
export async function forward(
  request: Request,
  { origin, prefix }: ProxyTarget,
  outgoing: ServerResponse,
): Promise<Response> {
  const path = pathBelow(prefix, new URL(request.url));
  if (path === undefined || isInternal(path)) return problem(404, "Not Found");
  try {
    // Nothing comes between the two: whoever ends a server waits for those who were told its origin just before.
    return await pass(request, path, { origin: await origin(), prefix }, outgoing);
  } catch (error) {
    if (!(error instanceof ServerUnavailable)) throw error;
    return problem(503, error.message, error.retryAfterSeconds);
  }
}

async function pass(
  request: Request,
  path: string,
  destination: Destination,
  outgoing: ServerResponse,
): Promise<Response> {
  const forwarded = traffic.track(destination.origin);
  const signal = AbortSignal.any([request.signal, forwarded.signal]);
  try {
    const answer = await send(request, path, destination, signal);
    answer.once("close", forwarded.done);
    for (const [name, values] of Object.entries(responseHeaders(answer, request, destination)))
      outgoing.appendHeader(name, values);
    outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage);
    outgoing.flushHeaders();
    pipeline(answer, outgoing, () => {}); // when one side breaks off, so does the other: there is nobody to be told
    return RESPONSE_ALREADY_SENT;
  } catch (error) {
    forwarded.done();
    if (request.signal.aborted) throw error;
    const refused = codeOf(error) === "ECONNREFUSED";
    const cause: unknown = forwarded.signal.aborted ? forwarded.signal.reason : error;
    const words = messageOf(cause);
    return problem(refused ? 503 : 502, `the agent server did not answer: ${words}`);
  }
}

/**
 * Resolves with the answer's head. On `node:http`, since `fetch` ends a stream that is silent for five minutes; without
 * kept connections, since one that the agent server is just closing would fail a request that can't be sent again.
 */
function send(
  request: Request,
  path: string,
  destination: Destination,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { hostname, port } = new URL(destination.origin);
  const { method } = request;
  const headers = requestHeaders(request, destination);
  return new Promise((resolve, reject) => {
    const options = { hostname, port, path, method, headers, signal, agent: false };
    const outgoing = httpRequest(options, resolve);
    outgoing.on("error", reject);
    const body = request.body ? Readable.fromWeb(request.body) : Readable.from([]);
    pipeline(body, outgoing, () => {}); // what goes wrong is an error of `outgoing` too
  });
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

function problem(status: number, detail: string, retryAfterSeconds = 1): Response {
  const headers = status === 503 ? { "retry-after": String(retryAfterSeconds) } : undefined;
  return Response.json({ detail }, { status, ...(headers && { headers }) });
}
