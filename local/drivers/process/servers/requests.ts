import { setTimeout as sleep } from "node:timers/promises";
import type { Time } from "../../../../shared/clock";
import { ServerUnavailable } from "../../driver";

const POLL_MS = 25;
const MAX_WAITING = 1000;
const MAX_WAIT_SECONDS = 30;

/** A request, or a WebSocket, that is being forwarded. */
export interface ForwardedRequest {
  /** Aborted when the request has run for too long; the reason is an error for its caller. */
  readonly signal: AbortSignal;
  /** Call it when the response body has ended. */
  readonly done: () => void;
}

/** The longest time for running requests to finish, and the log of those that do not. */
export interface Drain {
  readonly limitSeconds: number;
  readonly signal: AbortSignal;
  readonly log?: ((line: string) => void) | undefined;
}

/**
 * The requests that this process forwards, by the origin they go to. One server has a port at a time, so platforms in
 * one process do not disturb each other.
 */
class Traffic {
  readonly #running = new Map<string, Set<AbortController>>();

  track(origin: string): ForwardedRequest {
    const request = new AbortController();
    const running = this.#running.get(origin) ?? new Set();
    this.#running.set(origin, running.add(request));
    const done = () => {
      if (running.delete(request) && running.size === 0) this.#running.delete(origin);
    };
    return { signal: request.signal, done };
  }

  count(origin: string): number {
    return this.#running.get(origin)?.size ?? 0;
  }

  /**
   * Waits until the running requests have finished and aborts those that exceed the limit. A server that waits for
   * them at its end would be killed before it has written its threads to disk. Waits for one poll at least: a caller
   * that got the origin just before is counted by then. When the signal is aborted it throws and aborts no request.
   */
  async drain(origin: string, { limitSeconds, signal, log }: Drain): Promise<void> {
    const deadline = performance.now() + limitSeconds * 1000;
    do {
      await sleep(POLL_MS);
      signal.throwIfAborted();
    } while (this.count(origin) > 0 && performance.now() < deadline);
    const count = this.count(origin);
    this.abort(origin);
    if (count > 0) log?.(`requests aborted after ${limitSeconds} s: ${count}`);
  }

  abort(origin: string): void {
    const running = [...(this.#running.get(origin) ?? [])];
    for (const request of running) request.abort(new Error("the server is shutting down"));
  }
}

export const traffic = new Traffic();

/** Requests that wait for their server: at most 1,000, each for at most 30 s. */
export class RequestGate {
  readonly #clock: Time;
  #waiting = 0;
  /** Settles with the last piece of work; undefined while the gate is open. */
  #closed: Promise<void> | undefined;

  constructor(clock: Time) {
    this.#clock = clock;
  }

  /** Calls `find` once the gate is open. Throws `ServerUnavailable` when too many wait, or for too long. */
  async wait<Found>(find: () => Promise<Found>): Promise<Found> {
    if (this.#waiting >= MAX_WAITING)
      throw new ServerUnavailable(`more than ${MAX_WAITING} requests are waiting for the server`);
    this.#waiting += 1;
    const found = new AbortController();
    try {
      return await Promise.race([this.#open().then(find), this.#timeout(found.signal)]);
    } finally {
      this.#waiting -= 1;
      found.abort();
    }
  }

  /** Keeps the gate closed during the work; pieces of work follow one another. */
  async hold<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = (this.#closed ?? Promise.resolve()).then(work);
    const open = () => void (this.#closed === closed && (this.#closed = undefined));
    const closed: Promise<void> = done.then(open, open);
    this.#closed = closed;
    return done;
  }

  async #open(): Promise<void> {
    while (this.#closed) await this.#closed;
  }

  async #timeout(signal: AbortSignal): Promise<never> {
    await this.#clock.sleep(MAX_WAIT_SECONDS * 1000, signal);
    throw new ServerUnavailable(`timed out after ${MAX_WAIT_SECONDS} s waiting for the server`);
  }
}
