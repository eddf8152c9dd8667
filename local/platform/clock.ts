import { setImmediate as turn } from "node:timers/promises";
import type { Time } from "../../shared/clock";

interface Sleeper {
  readonly dueMs: number;
  readonly wake: () => void;
  timer: NodeJS.Timeout | undefined;
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Time goes no further when it is moved: microseconds since 1970 are exact until 2255. */
const LATEST = new Date("2200-01-01T00:00:00Z");

/**
 * The platform's time, which stages and timestamps follow: real time plus what was added to it. Over a time that stands still, only what is added moves it.
 */
export class PlatformClock implements Time {
  readonly #realMs: () => number;
  #offsetMs: number;
  #lastStampUs = 0;
  /** The time while it is being advanced, when nothing but that moves it. */
  #stoppedMs: number | undefined;
  #advancing: Promise<void> = Promise.resolve();
  readonly #sleepers = new Set<Sleeper>();

  /** `realMs` gives the real time, in milliseconds since 1970. */
  constructor(offsetMs = 0, realMs: () => number = Date.now) {
    this.#offsetMs = offsetMs;
    this.#realMs = realMs;
  }

  get offsetMs(): number {
    return this.#offsetMs;
  }

  now(): number {
    return this.#stoppedMs ?? this.#realMs() + this.#offsetMs;
  }

  /**
   * The time as ISO 8601 text with microseconds, never the same text twice: "latest first" is the order in which
   * things were made, however fast they follow each other.
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
        signal?.removeEventListener("abort", giveUp);
      };
      const giveUp = () => {
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
      signal?.addEventListener("abort", giveUp);
      this.#arm(sleeper);
    });
  }

  /**
   * Adds to the time, stopping at every moment at which someone wakes: what they do next is done, and a further sleep
   * of theirs ends too when it falls into the time added. What they do takes none of it. Throws a `RangeError`, and moves
   * nothing, where that leads beyond the year 2199 or back.
   */
  advance(milliseconds: number): Promise<void> {
    const done = this.#advancing.then(() => this.#advance(milliseconds));
    this.#advancing = done.catch(() => {});
    return done;
  }

  async #advance(milliseconds: number): Promise<void> {
    const startMs = this.now();
    const endMs = startMs + milliseconds;
    if (!(milliseconds >= 0 && endMs < LATEST.getTime()))
      throw new RangeError(
        `the clock goes forward only, and not to ${LATEST.toISOString()} or beyond`,
      );
    this.#stoppedMs = startMs;
    await turn(); // what was begun just before has gone to sleep by then
    for (let next = this.#first(); next && next.dueMs <= endMs; next = this.#first()) {
      this.#stoppedMs = Math.max(next.dueMs, this.#stoppedMs);
      next.wake();
      await turn();
    }
    this.#stoppedMs = undefined;
    this.#offsetMs += milliseconds;
    for (const sleeper of this.#sleepers) this.#arm(sleeper);
  }

  /** Who wakes first. */
  #first(): Sleeper | undefined {
    return [...this.#sleepers].toSorted((a, b) => a.dueMs - b.dueMs)[0];
  }

  #arm(sleeper: Sleeper): void {
    clearTimeout(sleeper.timer);
    const leftMs = sleeper.dueMs - this.now();
    sleeper.timer = setTimeout(
      () => (sleeper.dueMs <= this.now() ? sleeper.wake() : this.#arm(sleeper)),
      Math.min(Math.max(leftMs, 0), LONGEST_TIMER_MS),
    );
  }
}
