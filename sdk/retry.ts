import type { Clock } from "../shared/clock";
import {
  ConnectionError,
  InvalidResponseError,
  RateLimited,
  ServerError,
  StatusError,
} from "./errors";

const MOST_RETRIES = 4;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;
/** A server that asks for more is not obeyed for longer than this. */
const LONGEST_RETRY_AFTER_MS = 60_000;
const TOTAL_MS = 120_000;

const PASSING_STATUSES = new Set([408, 429, 500, 502, 503, 504]);

/**
 * Sends again what may be sent again: GET and DELETE on 408, 429, 500, 502, 503, 504, on connection errors and on JSON that
 * is cut off; POST and
 * PATCH only on 429 or when the request surely never reached the server. At most 4 times, within two minutes.
 */
export async function withRetries<Answer>(
  method: string,
  clock: Clock,
  signal: AbortSignal | undefined,
  send: () => Promise<Answer>,
): Promise<Answer> {
  const deadline = clock.now() + TOTAL_MS;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      const pause = pauseAfter(error, attempt, clock.random);
      if (!mayRepeat(method, error) || attempt >= MOST_RETRIES || clock.now() + pause > deadline)
        throw error;
      await clock.sleep(pause, signal);
    }
  }
}

function mayRepeat(method: string, error: unknown): boolean {
  if (error instanceof RateLimited) return true;
  if (error instanceof ConnectionError && error.neverSent) return true;
  return (method === "GET" || method === "DELETE") && isTransient(error);
}

/** Whether the same request may well succeed a little later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  if (error instanceof InvalidResponseError) return error.isCutOff;
  return error instanceof StatusError && PASSING_STATUSES.has(error.status);
}

/** Whether a request that failed may have been done by the server all the same: only a look can tell. */
export function isAmbiguous(error: unknown): boolean {
  if (error instanceof ConnectionError) return !error.neverSent;
  return error instanceof ServerError || error instanceof InvalidResponseError;
}

/** Exponential with full jitter (AWS Architecture Blog, "Exponential Backoff And Jitter"), unless the server says. */
function pauseAfter(error: unknown, attempt: number, random: () => number): number {
  const asked = error instanceof StatusError ? error.retryAfterSeconds : undefined;
  if (asked !== undefined) return Math.min(asked * 1000, LONGEST_RETRY_AFTER_MS);
  return random() * Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS);
}
