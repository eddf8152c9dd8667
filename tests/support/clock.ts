import { PlatformClock } from "../../local/platform/clock";

/** A platform's clock whose time passes only by `advance`: what real time a test takes means nothing to it. */
export function standingClock(): PlatformClock {
  const startMs = Date.now();
  return new PlatformClock(0, () => startMs);
}
