import { readdir, readFile } from "node:fs/promises";
import { sum } from "simple-statistics";
import type { Numbers } from "./table";

/**
 * The memory of these processes together, in MB of 10^6 bytes: all pages that are in memory (RSS), and with pages that are
 * shared divided among those who share them (PSS). NaN where /proc does not show it.
 */
export async function memoryOf(...pids: readonly number[]): Promise<Numbers> {
  const texts = await Promise.all(pids.map((pid) => textOf(pid, "smaps_rollup")));
  const megabytes = (line: RegExp) =>
    ((sum(texts.map((text) => Number(line.exec(text)?.[1]))) || NaN) * 1024) / 1e6;
  return {
    "RSS (MB)": megabytes(/^Rss:\s+(\d+) kB/m),
    "PSS (MB)": megabytes(/^Pss:\s+(\d+) kB/m),
  };
}

/** The CPU time of a process, of its own and of the system for it (fields 14 and 15 of Linux's `stat`); NaN elsewhere. */
export function cpuMsOf(pid: number): Promise<number> {
  return ticksOf(pid, 11);
}

/** The CPU time of the processes that a process has waited for, and of those that these did (fields 16 and 17). */
export function cpuMsOfEnded(pid: number): Promise<number> {
  return ticksOf(pid, 13);
}

/** Two fields of Linux's `stat`, in milliseconds. */
async function ticksOf(pid: number, first: number): Promise<number> {
  const fields = (await textOf(pid, "stat")).split(") ").at(-1)?.split(" ") ?? [];
  // In ticks, of which Linux counts a hundred a second.
  return sum(fields.slice(first, first + 2).map(Number)) * 10;
}

/** The processes that a process has started and these have, in any order; none where /proc does not show them. */
export async function descendantsOf(pid: number): Promise<number[]> {
  const ids = (await readdir("/proc").catch(() => [])).map(Number).filter(Number.isInteger);
  const texts = await Promise.all(ids.map((id) => textOf(id, "status")));
  const below = (parent: number): number[] =>
    ids
      .filter((_, place) => texts[place]?.includes(`\nPPid:\t${parent}\n`))
      .flatMap((id) => [id, ...below(id)]);
  return below(pid);
}

function textOf(pid: number, file: string): Promise<string> {
  return readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "");
}
