import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

/** The variable that marks a platform's child processes and their descendants: `<hash of the data folder>/<child>`. */
export const MARK = "AGENTSERVER_PLATFORM";

/** The prefix of the marks of a data folder, which must exist. */
export function folderMark(dataDir: string): string {
  const hash = createHash("sha256").update(realpathSync(dataDir)).digest("hex");
  return `${hash.slice(0, 32)}/`;
}

const POLL_MS = 20;
/** The longest wait after KILL: a process in a system call ends when that returns. */
const KILL_WAIT_SECONDS = 30;

/**
 * Ends processes that an earlier platform left on this data folder; the caller holds the folder's lock. Waits
 * `graceSeconds` for their keepers first, since a second TERM may interrupt a clean exit, then sends TERM, then KILL.
 * Each signal also goes to processes that others start meanwhile.
 */
export async function endLeftovers(dataDir: string, graceSeconds = 5): Promise<void> {
  const mark = `${MARK}=${folderMark(dataDir)}`;
  for (const [signal, seconds] of [
    [undefined, graceSeconds],
    ["SIGTERM", graceSeconds],
    ["SIGKILL", KILL_WAIT_SECONDS],
  ] as const) {
    const deadline = performance.now() + seconds * 1000;
    const signalled = new Set<number>();
    do {
      const left = await findMarked(mark);
      if (left.length === 0) return;
      for (const pid of left) {
        if (signal && !signalled.has(pid)) send(pid, signal);
        signalled.add(pid);
      }
      await sleep(POLL_MS);
    } while (performance.now() < deadline);
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
  if (process.platform !== "linux") return findWithPs(mark);
  const processes = await readProc("environ");
  const marked = processes.filter(({ text }) =>
    text.split("\0").some((variable) => variable.startsWith(mark)),
  );
  return marked.map(({ pid }) => pid);
}

/** A file of each process in `/proc`; empty for one that has ended meanwhile. */
export async function readProc(file: "environ" | "status") {
  const pids = (await readdir("/proc")).map(Number).filter(Number.isInteger);
  const read = async (pid: number) => {
    const text = await readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "");
    return { pid, text };
  };
  return Promise.all(pids.map(read));
}

/** For macOS, according to its manual page (`-E` shows the environment); not tested. */
async function findWithPs(mark: string): Promise<number[]> {
  const args = ["-A", "-E", "-ww", "-o", "pid=,command="];
  const { stdout } = await promisify(execFile)("ps", args, { maxBuffer: 64 * 1024 * 1024 });
  const marked = stdout.split("\n").filter((line) => line.includes(mark));
  return marked.map((line) => Number.parseInt(line, 10));
}
