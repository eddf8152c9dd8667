import { setImmediate as nextTurn } from "node:timers/promises";
import type { Time } from "../../shared/clock";

interface Sleeper {
  readonly dueMs: number;
  readonly wake: () => void;
  timer: NodeJS.Timeout | undefined;
}

const MAX_TIMER_MS = 2 ** 31 - 1;

/** The clock cannot be advanced beyond: microseconds since 1970 are exact until 2255. */
const MAX_TIME = new Date("2200-01-01T00:00:00Z");

/** The clock of stages and timestamps: real time plus an offset, which only grows. */
export class PlatformClock implements Time {
  readonly #realMs: () => number;
  #lastRealMs = -Infinity;
  #offsetMs: number;
  #lastStampUs = 0;
  /** The time while the clock is being advanced, which real time does not move then. */
  #stoppedMs: number | undefined;
  #advancing: Promise<void> = Promise.resolve();
  readonly #sleepers = new Set<Sleeper>();

  /**
   * `realMs` returns real time, in milliseconds since 1970. The clock begins after `pastMs`: real time may have been set
   * back since an earlier run.
   */
  constructor(offsetMs = 0, realMs: () => number = Date.now, pastMs = 0) {
    this.#offsetMs = Math.max(offsetMs, pastMs + 1 - realMs());
    this.#realMs = realMs;
  }

  get offsetMs(): number {
    return this.#offsetMs;
  }

  now(): number {
    const realMs = this.#realMs();
    // Where somebody has set it back, those asleep would sleep on for as long.
    this.#offsetMs += Math.max(this.#lastRealMs - realMs, 0);
    this.#lastRealMs = realMs;
    return this.#stoppedMs ?? realMs + this.#offsetMs;
  }

  /**
   * The time in ISO 8601 with microseconds, different at each call: "latest first" is the order of creation, however
   * fast things are created.
   */
  stamp(): string {
    const us = Math.max(this.now() * 1000, this.#lastStampUs + 1);
    this.#lastStampUs = us;
    const seconds = new Date(Math.floor(us / 1000)).toISOString().slice(0, -1);
    return `${seconds}${String(us % 1000).padStart(3, "0")}Z`;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const end = () => {
        clearTimeout(sleeper.timer);
        this.#sleepers.delete(sleeper);
        signal?.removeEventListener("abort", onAbort);
      };
      const onAbort = () => {
        end();
        reject(signal?.reason);
      };
      const wake = () => {
        end();
        resolve();
      };
      const dueMs = this.now() + milliseconds;
      const sleeper: Sleeper = { dueMs, wake, timer: undefined };
      this.#sleepers.add(sleeper);
      signal?.addEventListener("abort", onAbort);
      this.#arm(sleeper);
    });
  }

  /**
   * Advances the clock, with a stop at each moment at which a sleep ends: the work that follows runs, in no time of this
   * clock, and the sleeps that it starts end too if they are due. Throws a `RangeError` for a negative number and beyond
   * the year 2199.
   */
  advance(milliseconds: number): Promise<void> {
    const done = this.#advancing.then(() => this.#advance(milliseconds));
    this.#advancing = done.catch(() => {});
    return done;
  }

  async #advance(milliseconds: number): Promise<void> {
    const startMs = this.now();
    const endMs = startMs + milliseconds;
    if (!(milliseconds >= 0 && endMs < MAX_TIME.getTime()))
      throw new RangeError(
        `the clock can only move forward, to a time before ${MAX_TIME.toISOString()}`,
      );
    this.#stoppedMs = startMs;
    await nextTurn(); // what was started just before sleeps by then
    for (let next = this.#first(); next && next.dueMs <= endMs; next = this.#first()) {
      this.#stoppedMs = Math.max(next.dueMs, this.#stoppedMs);
      next.wake();
      await nextTurn();
    }
    this.#stoppedMs = undefined;
    this.#offsetMs += milliseconds;
    for (const sleeper of this.#sleepers) this.#arm(sleeper);
  }

  /** The next sleep to end. */
  #first(): Sleeper | undefined {
    return [...this.#sleepers].toSorted((a, b) => a.dueMs - b.dueMs)[0];
  }

  #arm(sleeper: Sleeper): void {
    clearTimeout(sleeper.timer);
    const leftMs = sleeper.dueMs - this.now();
    sleeper.timer = setTimeout(
      () => (sleeper.dueMs <= this.now() ? sleeper.wake() : this.#arm(sleeper)),
      Math.min(Math.max(leftMs, 0), MAX_TIMER_MS),
    );
  }
}
