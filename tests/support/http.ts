import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A received request. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A real HTTP server on loopback whose answers a test writes. */
export interface TestServer {
  readonly url: string;
  readonly received: Received[];
  readonly close: () => Promise<void>;
}

type Respond = (request: Received, response: ServerResponse, count: number) => void;

/** Starts a server that answers with `respond`; `count` is the number of the request, from 1. */
export async function startServer(respond: Respond): Promise<TestServer> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const body = Buffer.concat(chunks).toString();
      received.push({ method, url, headers, body });
      respond({ method, url, headers, body }, response, received.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Starts servers that are closed after the test of the `describe` that has started them. */
export function useServers(): typeof startServer {
  const servers: TestServer[] = [];
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));
  return async (respond) => {
    const server = await startServer(respond);
    servers.push(server);
    return server;
  };
}

/** Answers with JSON. */
export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** Answers every request so: with a text as it is, and else with JSON. */
export const always =
  (status: number, body: unknown): Respond =>
  (_request, response) =>
    typeof body === "string" ? response.writeHead(status).end(body) : json(response, status, body);

/** The port that a server listens on. */
export function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}

/** An answer; `body` is the parsed JSON, the text when it is none, undefined when there is nothing. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Sends a request; a body that is text as it is, else as JSON. A header that is undefined is left out. */
export async function sendJson(
  url: string,
  method: string,
  body?: unknown,
  headers: Record<string, string | undefined> = {},
): Promise<Answer> {
  const given = {
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    ...headers,
  };
  const response = await fetch(url, {
    method,
    headers: Object.entries(given).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as [string, string]],
    ),
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: bodyOf(text) };
}

function bodyOf(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
