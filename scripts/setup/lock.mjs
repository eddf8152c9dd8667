import { readlinkSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { report } from "./report.mjs";

/** One lock for all clones of a user: they share the folder of the Pulumi CLI. */
export const lockFile = () => join(tmpdir(), `pulumi-agentserver-setup-${userInfo().uid}`);

/**
 * Does `work` while no other process does its own under the same lock. The lock is a symbolic link whose "target" is the
 * holder's process id: made in one step together with its content. That of a process which is gone counts for nothing.
 */
export async function withLock(file, work) {
  for (let waitedFor; !take(file); await sleep(100)) {
    const holder = holderOf(file);
    if (holder && holder !== waitedFor)
      report(`Another set-up is at work (process ${holder}, lock ${file}): waiting for it`);
    waitedFor = holder;
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function take(file) {
  try {
    symlinkSync(`${process.pid}`, file);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

/** The process id in the lock; undefined when it has just been given back, or the process is gone, with the lock then. */
function holderOf(file) {
  let holder;
  try {
    holder = Number(readlinkSync(file));
    process.kill(holder, 0);
  } catch ({ code }) {
    if (code === "ESRCH") rmSync(file, { force: true });
    if (code !== "EPERM") return undefined;
  }
  return holder;
}
