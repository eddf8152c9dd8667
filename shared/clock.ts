import { setTimeout as delay } from "node:timers/promises";

/** Time and chance, given from outside so that a test needs no waiting. */
export interface Clock {
  readonly now: () => number;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Rejects when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** The time and chance of the machine. */
export const systemClock: Clock = {
  now: Date.now,
  random: Math.random,
  sleep: (milliseconds, signal) => delay(milliseconds, undefined, signal && { signal }),
};
