import autocannon, { type Result } from "autocannon";
import { z } from "zod";
import type { Server } from "./run";

/** A request, whose body is sent as JSON. */
export interface Request {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Creates an empty thread, whose id is in the answer. */
export const CREATE_THREAD: Request = { method: "POST", path: "/threads", body: {} };
const Thread = z.object({ thread_id: z.string() });
export const threadIn = (answer: string): string => Thread.parse(JSON.parse(answer)).thread_id;

/** The server that gets the requests. */
export type Target = Pick<Server, "url" | "apiKey">;

/** Options of a series of requests: over connections that stay open, each with one request at a time. */
export interface Pace {
  readonly requests: number;
  readonly connections: number;
}

/** Sends a series of requests, of which some may fail; `onBody` gets the body of each answer whose status is 2xx. */
export async function send(
  target: Target,
  { requests: amount, connections }: Pace,
  next: () => Request,
  { signal, onBody }: { signal: AbortSignal; onBody?: (body: string) => void },
) {
  const { origin, pathname } = new URL(target.url);
  const setupRequest = (request: object) => {
    const sent = onTheWire(next(), target);
    return { ...request, ...sent, path: pathname.replace(/\/$/, "") + sent.path };
  };
  const onResponse = (status: number, body: string) => status < 300 && onBody?.(body);
  const requests = [{ setupRequest, onResponse }];
  // autocannon looks every `sampleInt` ms whether a series is over.
  const options = { url: origin, connections, amount, requests, timeout: 60, sampleInt: 10 };
  const durationsMs: number[] = [];
  const result = await new Promise<Result>((resolve, reject) => {
    const load = autocannon(options, (error, done) => {
      signal.removeEventListener("abort", stop);
      if (error) reject(error);
      else resolve(done);
    });
    const stop = () => load.stop();
    load.on("response", (_client, _status, _bytes, ms) => durationsMs.push(ms));
    signal.addEventListener("abort", stop);
  });
  signal.throwIfAborted();
  // One without an answer has failed too.
  const failed = amount - result["2xx"];
  return { durationsMs, failed, statuses: JSON.stringify(result.statusCodeStats) };
}

/** Sends a series of requests and returns how long each took; throws when one fails. */
export async function measure(...given: Parameters<typeof send>): Promise<number[]> {
  const { durationsMs, failed, statuses } = await send(...given);
  if (failed > 0) throw new Error(`${failed} requests to ${given[0].url} failed: ${statuses}`);
  return durationsMs;
}

/** Sends one request and returns the body of the answer; throws when it fails. */
export async function ask(target: Target, request: Request, signal: AbortSignal): Promise<string> {
  const { path, ...init } = onTheWire(request, target);
  // Of its own: the listener of a request that has ended stays on a signal until both are collected.
  const own = AbortSignal.any([signal]);
  const response = await fetch(target.url + path, { ...init, signal: own });
  const text = await response.text();
  if (!response.ok) throw new Error(`${request.method} ${path}: ${response.status} ${text}`);
  return text;
}

function onTheWire({ body, headers, ...request }: Request, { apiKey }: Target) {
  const key = { "X-Api-Key": apiKey, ...headers };
  if (!body) return { ...request, headers: key };
  const json = { "Content-Type": "application/json", ...key };
  return { ...request, headers: json, body: JSON.stringify(body) };
}
