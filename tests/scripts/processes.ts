import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Waits until the condition holds; gives up after 10 s. */
export async function eventually(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`still not: ${condition.toString()}`);
    await sleep(20);
  }
}

/** Whether the process is there and not merely waiting for its parent to take note of its end (Linux). */
export function isAlive(pid: number): boolean {
  const file = `/proc/${pid}/stat`;
  return existsSync(file) && !/\) [ZX] /.test(readFileSync(file, "utf8"));
}
