import { readdir, readFile } from "node:fs/promises";

/** Memory of a process in MB of 10^6 bytes. */
export interface Memory {
  /** All of its pages that are in memory, those shared with other processes too. */
  readonly rss: number;
  /** The same, shared pages divided among those who share them. */
  readonly pss: number;
}

/** The memory of a process; NaN where /proc does not tell it. */
export async function memoryOf(pid: number): Promise<Memory> {
  const read = async (file: string, name: string) => {
    const kibibytes = new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(await textOf(pid, file))?.[1];
    return (Number(kibibytes ?? NaN) * 1024) / 1e6;
  };
  return { rss: await read("status", "VmRSS"), pss: await read("smaps_rollup", "Pss") };
}

/**
 * How long the main thread of a process could have run, but others had the CPU (the second number of Linux's
 * `schedstat`, in ns); 0 where /proc does not tell it.
 */
export async function waitedSecondsOf(pid: number): Promise<number> {
  const [, nanoseconds = 0] = (await textOf(pid, "schedstat")).split(" ").map(Number);
  return nanoseconds / 1e9;
}

/** The processes that a process has started and these have, in any order; none where /proc does not tell them. */
export async function descendantsOf(pid: number): Promise<number[]> {
  const names = await readdir("/proc").catch(() => []);
  const all = await Promise.all(
    names
      .map(Number)
      .filter(Number.isInteger)
      .map(async (child) => {
        const parent = /^PPid:\s+(\d+)/m.exec(await textOf(child, "status"))?.[1];
        return { child, parent: Number(parent) };
      }),
  );
  const below = (of: number): number[] =>
    all.filter(({ parent }) => parent === of).flatMap(({ child }) => [child, ...below(child)]);
  return below(pid);
}

function textOf(pid: number, file: string): Promise<string> {
  return readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "");
}
