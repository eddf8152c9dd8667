import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 20;

/** Waits until something is so; false where it is not within the limit. */
export async function until(limitMs: number, isSo: () => boolean): Promise<boolean> {
  for (const deadline = Date.now() + limitMs; ; await sleep(POLL_MS)) {
    if (isSo()) return true;
    if (Date.now() >= deadline) return false;
  }
}
