import { Agent, request as openRequest } from "node:http";
import { quantile } from "./figure";
import type { Address } from "./servers";

/** A request and the status of the answer that is expected. */
export interface Request {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  readonly status: number;
}

/** How a series of requests is sent. */
export interface Pace {
  readonly requests: number;
  /** How many connections, each with one request at a time. */
  readonly clients: number;
}

interface Abortable {
  readonly signal: AbortSignal;
}

/** What a series of requests came to. */
export interface Sample {
  readonly perSecond: number;
  readonly medianMs: number;
  readonly p95Ms: number;
}

/** Sends requests over connections that stay open; returns the bodies of the answers in any order. */
export async function sendAll(
  server: Address,
  requests: readonly Request[],
  { clients, signal }: Pick<Pace, "clients"> & Abortable,
): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  try {
    return await share(requests.length, clients, async (index) => {
      const request = requests[index];
      return request ? send(server, request, { agent, signal }) : "";
    });
  } finally {
    agent.destroy();
  }
}

/** Measures requests over connections that stay open, after some that open these and are not counted. */
export async function measure(
  server: Address,
  next: () => Request,
  { requests, clients, signal }: Pace & Abortable,
): Promise<Sample> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const timed = async () => {
    const startMs = performance.now();
    await send(server, next(), { agent, signal });
    return performance.now() - startMs;
  };
  try {
    await share(WARMING_REQUESTS * clients, clients, timed);
    const startMs = performance.now();
    const durationsMs = await share(requests, clients, timed);
    const seconds = (performance.now() - startMs) / 1000;
    return {
      perSecond: requests / seconds,
      medianMs: quantile(durationsMs, 0.5),
      p95Ms: quantile(durationsMs, 0.95),
    };
  } finally {
    agent.destroy();
  }
}

const WARMING_REQUESTS = 3;

/** Shares `count` pieces of work among so many clients, each doing one at a time. */
async function share<Result>(
  count: number,
  clients: number,
  work: (index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let taken = 0;
  const client = async () => {
    while (taken < count) results.push(await work(taken++));
  };
  await Promise.all(Array.from({ length: clients }, client));
  return results;
}

/** Sends one request and reads its answer to the end; throws on another status. */
export function send(
  { port, apiKey }: Address,
  { method, path, body, status }: Request,
  options: Abortable & { agent?: Agent },
): Promise<string> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    "X-Api-Key": apiKey,
    ...(text === undefined
      ? {}
      : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) }),
  };
  return new Promise((resolve, reject) => {
    const request = openRequest({ host: "127.0.0.1", port, method, path, headers, ...options });
    request.once("error", reject);
    request.once("response", (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.once("error", reject);
      response.once("end", () => {
        const answer = Buffer.concat(pieces).toString();
        if (response.statusCode === status) resolve(answer);
        else reject(new Error(`${method} ${path}: ${response.statusCode} ${answer}`));
      });
    });
    request.end(text);
  });
}
