import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** The result of a command. */
export interface Finished {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly text: string;
}

/** A command that runs. */
export interface Running {
  readonly finished: Promise<Finished>;
  /** Its output so far. */
  readonly text: () => string;
  /** As a terminal does it for Ctrl-C: the signal goes to the command's process group. */
  readonly interrupt: () => void;
  /** `kill -9` of the command alone. */
  readonly kill: () => void;
}

/** Starts a command in a process group of its own. */
export function start(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Running {
  const child = spawn(command, args, {
    ...options,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  return {
    finished: once(child, "close").then(([code]) => ({ code, text })),
    text: () => text,
    interrupt: () => signal(-Number(child.pid), "SIGINT"),
    kill: () => void child.kill("SIGKILL"),
  };
}

/** `kill -9` of a process, which may have ended a moment before. */
export function killProcess(pid: number): void {
  signal(pid, "SIGKILL");
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    return;
  }
}

/** Ids of the living processes that have this text in their environment or arguments. */
export async function processesWith(text: string): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const read = (file: string) => readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "");
      return (await read("environ")).includes(text) || (await read("cmdline")).includes(text);
    }),
  );
  return pids.filter((_, index) => found[index]).map(Number);
}

/** The arguments of a process, separated by NUL; empty where it has ended. */
export function argumentsOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
}

const POLL_MS = 10;

/** Polls until the condition holds. It gives up before mocha does, to say what it waited for. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  limitSeconds = 300,
): Promise<void> {
  const deadline = Date.now() + limitSeconds * 1000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await sleep(POLL_MS);
  }
}
