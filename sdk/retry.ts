import type { Clock } from "../shared/clock";
import {
  ConnectionError,
  InvalidResponseError,
  RateLimited,
  ServerError,
  StatusError,
  TlsError,
} from "./errors";

const MOST_RETRIES = 4;
const FIRST_PAUSE_MS = 250;
/** A longer `Retry-After` is cut to this. */
const LONGEST_RETRY_AFTER_MS = 60_000;
const TOTAL_MS = 120_000;

const THROTTLES = new Set([429, 503]);
const TRANSIENT_STATUSES = new Set([408, 425, 429]);
/** Of those from 500 on, what stays as it is; gateways have others of their own, as 520 to 530. */
const PERMANENT_STATUSES = new Set([501, 505]);

/**
 * Retries a request where that is safe: a repeatable one after transient errors (`isTransient`), any other only after a 429
 * or when the request certainly never reached the server. At most 4 retries, within two minutes; a response that says when
 * to come back counts as none. Where the clock itself cuts a pause short, since a run is cancelled, the last error is thrown.
 */
export async function withRetries<Result>(
  isRepeatable: boolean,
  clock: Clock,
  signal: AbortSignal | undefined,
  send: () => Promise<Result>,
): Promise<Result> {
  const deadline = clock.now() + TOTAL_MS;
  let mayHaveArrived = false;
  for (let attempt = 0; ;) {
    try {
      return await send();
    } catch (error) {
      if (mayHaveArrived && error instanceof Error) AFTER_LOST.add(error);
      mayHaveArrived ||= isAmbiguous(error);
      const pause = pauseAfter(error, attempt, clock.random);
      if (
        !mayRetry(isRepeatable, error) ||
        attempt >= MOST_RETRIES ||
        clock.now() + pause > deadline
      )
        throw error;
      await clock.sleep(pause, signal).catch((cutShort: unknown) => {
        throw signal?.aborted ? cutShort : error;
      });
      if (throttleMs(error) === undefined) attempt += 1;
    }
  }
}

function mayRetry(isRepeatable: boolean, error: unknown): boolean {
  if (error instanceof RateLimited) return true;
  if (error instanceof TlsError) return false;
  if (error instanceof ConnectionError && error.neverSent) return true;
  return isRepeatable && isTransient(error);
}

/** Whether an error is transient: 408, 425, 429, 5xx but for 501 and 505, a failed connection or timeout, or malformed JSON. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionError) return !(error instanceof TlsError);
  if (error instanceof InvalidResponseError) return error.isMalformedJson;
  if (error instanceof ServerError) return !PERMANENT_STATUSES.has(error.status);
  return error instanceof StatusError && TRANSIENT_STATUSES.has(error.status);
}

/** Errors of requests of which an attempt before may have arrived, whatever ended the last one. */
const AFTER_LOST = new WeakSet<Error>();

/** Whether the server may have carried out a request that failed, by any of its attempts; only a read can show that. */
export function isAmbiguous(error: unknown): boolean {
  if (error instanceof Error && AFTER_LOST.has(error)) return true;
  if (error instanceof ConnectionError) return !error.neverSent;
  return error instanceof ServerError || error instanceof InvalidResponseError;
}

/** The pause that a throttling response asks for (RFC 6585, section 4; RFC 9110, section 15.6.4); undefined for any other error. */
export function throttleMs(error: unknown): number | undefined {
  return error instanceof StatusError && THROTTLES.has(error.status)
    ? retryAfterMs(error)
    : undefined;
}

function retryAfterMs(error: unknown): number | undefined {
  const seconds = error instanceof StatusError ? error.retryAfterSeconds : undefined;
  return seconds === undefined ? undefined : Math.min(seconds * 1000, LONGEST_RETRY_AFTER_MS);
}

/** Exponential with full jitter (AWS Architecture Blog, "Exponential Backoff And Jitter"), unless the server sends `Retry-After`. */
function pauseAfter(error: unknown, attempt: number, random: () => number): number {
  return retryAfterMs(error) ?? random() * FIRST_PAUSE_MS * 2 ** attempt;
}
