import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { folderMark, MARK } from "./mark";

const POLL_MS = 20;

/**
 * Ends processes that an earlier platform left on this data folder; the caller holds the folder's lock. Waits
 * `graceSeconds` for their keepers first, since a second TERM may interrupt a clean exit, then sends TERM, then KILL.
 */
export async function endLeftovers(dataDir: string, graceSeconds = 5): Promise<void> {
  const mark = `${MARK}=${folderMark(dataDir)}`;
  for (const signal of [undefined, "SIGTERM", "SIGKILL"] as const) {
    const deadline = Date.now() + graceSeconds * 1000;
    let left = await findMarked(mark);
    if (signal) left.forEach((pid) => send(pid, signal));
    while (left.length > 0 && Date.now() < deadline) {
      await sleep(POLL_MS);
      left = await findMarked(mark);
    }
    if (left.length === 0) return;
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it has exited
  }
}

async function findMarked(mark: string): Promise<number[]> {
  return process.platform === "linux" ? findInProc(mark) : findWithPs(mark);
}

async function findInProc(mark: string): Promise<number[]> {
  const pids = (await readdir("/proc")).map(Number).filter(Number.isInteger);
  const carries = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
      return environment.split("\0").some((variable) => variable.startsWith(mark));
    }),
  );
  return pids.filter((_, index) => carries[index]);
}

/** For macOS, according to its manual page (`-E` shows the environment); not tested. */
async function findWithPs(mark: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-E", "-ww", "-o", "pid=,command="], {
    maxBuffer: 64 * 1024 * 1024,
  });
  const marked = stdout.split("\n").filter((line) => line.includes(mark));
  return marked.map((line) => Number.parseInt(line, 10));
}
