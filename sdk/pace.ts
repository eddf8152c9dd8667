import type { Clock } from "../shared/clock";
import { throttleMs } from "./retry";

/** The rate after a throttle, as a share of the one before; after the first one, of what the server carried. */
const DECREASE = 0.85;
/** What each response adds to the rate, in requests a second. */
const INCREASE = 0.01;
/** The same until the limit is met for the second time: what was carried before the first may have been a burst. */
const FIRST_INCREASE = 0.3;
const LEAST_RATE = 0.5;
const SECOND_MS = 1000;

/**
 * The rate at which this process sends requests to one host. It is unlimited until the host throttles; then all requests
 * wait as long as it says, and the rate grows by addition and falls by multiplication, as TCP's does (RFC 5681).
 */
export class Pace {
  readonly #clock: Clock;
  /** Requests a second. */
  #rate = Infinity;
  #throttles = 0;
  #throttledAtMs = -Infinity;
  #pausedUntilMs = -Infinity;
  #nextMs = -Infinity;
  /** When the responses of the last second came. */
  #carried: number[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Sends a request when its turn has come. */
  async send<Result>(
    send: () => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    const sentMs = await this.#turn(signal);
    try {
      const result = await send();
      this.#carry();
      return result;
    } catch (error) {
      const pauseMs = throttleMs(error);
      if (pauseMs !== undefined) this.#throttle(sentMs, pauseMs);
      throw error;
    }
  }

  async #turn(signal: AbortSignal | undefined): Promise<number> {
    for (;;) {
      const now = this.#clock.now();
      const intervalMs = SECOND_MS / this.#rate;
      const dueMs = Math.max(this.#pausedUntilMs, this.#nextMs);
      if (dueMs <= now) {
        // A turn that comes late, as timers do, is made up for by the next one.
        this.#nextMs = Math.max(this.#nextMs, now - intervalMs) + intervalMs;
        return now;
      }
      // Other processes may have been throttled with this one.
      await this.#clock.sleep(dueMs - now + (this.#clock.random() * intervalMs) / 2, signal);
    }
  }

  #carry(): void {
    const now = this.#clock.now();
    this.#carried = [...this.#carried.filter((at) => at > now - SECOND_MS), now];
    this.#rate += this.#throttles < 2 ? FIRST_INCREASE : INCREASE;
  }

  /** A response to what was sent before the last throttle says nothing new of the rate. */
  #throttle(sentMs: number, pauseMs: number): void {
    const now = this.#clock.now();
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, now + pauseMs);
    if (sentMs <= this.#throttledAtMs) return;
    // Later ones do not count what was carried: few responses may also mean that this machine was busy.
    const before = this.#throttles === 0 ? this.#carriedSince(now - SECOND_MS) : this.#rate;
    this.#rate = Math.max(before * DECREASE, LEAST_RATE);
    this.#throttles += 1;
    this.#throttledAtMs = now;
    this.#nextMs = Math.max(this.#nextMs, now);
  }

  #carriedSince(ms: number): number {
    return this.#carried.filter((at) => at > ms).length;
  }
}

const PACES = new WeakMap<Clock, Map<string, Pace>>();

/** The pace of a host, which all clients of the same clock share. */
export function paceOf(clock: Clock, origin: string): Pace {
  const paces = PACES.get(clock) ?? new Map<string, Pace>();
  const pace = paces.get(origin) ?? new Pace(clock);
  PACES.set(clock, paces.set(origin, pace));
  return pace;
}
