import { setTimeout as delay } from "node:timers/promises";

/** Time, set from outside so that a test needs no waiting. */
export interface Time {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after this much of the clock's time; rejects with the signal's reason when it is aborted. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** Time and chance. */
export interface Clock extends Time {
  /** From 0 up to, but not including, 1. */
  readonly random: () => number;
}

/** The maximum of Node's timers (2^31 - 1 ms): a longer one would end at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** Aborted after this much of the machine's time, 24 days at most. */
export function timeoutSignal(milliseconds: number): AbortSignal {
  return AbortSignal.timeout(Math.min(Math.ceil(milliseconds), LONGEST_TIMER_MS));
}

/** The time and chance of the machine. */
export const systemClock: Clock = {
  // A step of the machine's clock must neither end a wait nor prolong it.
  now: () => performance.timeOrigin + performance.now(),
  random: Math.random,
  sleep: (milliseconds, signal) =>
    delay(milliseconds, undefined, signal && { signal }).catch(() => signal?.throwIfAborted()),
};
