import { readFileSync } from "node:fs";

/** Whether the process is there and not merely waiting for its parent to take note of its end (Linux). */
export function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
