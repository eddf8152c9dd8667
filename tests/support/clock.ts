import type { Clock } from "../../shared/clock";
import { PlatformClock } from "../../local/platform/clock";

/** A platform's clock whose time passes only by `advance`: what real time a test takes means nothing to it. */
export function standingClock(): PlatformClock {
  const startMs = Date.now();
  return new PlatformClock(0, () => startMs);
}

/** The system's clock, but no sleep takes time: it is ahead by all of them. A server's `Date` is comparable with it. */
export function impatientClock(): Clock {
  let aheadMs = 0;
  return {
    now: () => Date.now() + aheadMs,
    random: () => 1,
    sleep: async (milliseconds, signal) => {
      signal?.throwIfAborted();
      aheadMs += milliseconds;
    },
  };
}
