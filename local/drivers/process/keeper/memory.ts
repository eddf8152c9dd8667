import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";

let reading: Promise<ReadonlyMap<number, number>> | undefined;

/**
 * The resident memory of each process group, in bytes: from `/proc` where there is one, else from `ps`; empty where there is
 * neither. Pages that processes share are counted for each of them. All who ask at the same time share one reading.
 */
export function memoryOfGroups(): Promise<ReadonlyMap<number, number>> {
  reading ??= read().finally(() => (reading = undefined));
  return reading;
}

async function read(): Promise<ReadonlyMap<number, number>> {
  const processes = await readProc().catch(() => readPs().catch(() => []));
  const groups = new Map<number, number>();
  for (const { group, kilobytes } of processes)
    groups.set(group, (groups.get(group) ?? 0) + kilobytes * 1024);
  return groups;
}

interface ProcessMemory {
  readonly group: number;
  readonly kilobytes: number;
}

async function readProc(): Promise<ProcessMemory[]> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const statuses = await Promise.all(
    // A process that has ended meanwhile has no memory.
    ids.map((id) => readFile(`/proc/${id}/status`, "utf8").catch(() => "")),
  );
  return statuses.map((status) => ({
    // Of several namespaces, the last is this one.
    group: Number(fieldOf(status, "NSpgid").at(-1) ?? 0),
    kilobytes: Number(fieldOf(status, "VmRSS")[0] ?? 0),
  }));
}

/** The words after a name. */
function fieldOf(status: string, name: string): string[] {
  const line = status.split("\n").find((text) => text.startsWith(`${name}:`)) ?? "";
  return line.split(/\s+/).slice(1);
}

async function readPs(): Promise<ProcessMemory[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pgid=,rss="]);
  return stdout.split("\n").map((line) => {
    const [group = 0, kilobytes = 0] = line.trim().split(/\s+/).map(Number);
    return { group, kilobytes };
  });
}
