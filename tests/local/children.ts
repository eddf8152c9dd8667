import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 10;

/** Looks until the condition holds. It gives up before mocha does, to say what it waited for. */
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

/** A new folder below the system's one for temporary files. */
export async function aFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "agentserver-test-"));
}

/** Removes a folder, whatever is in it. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
