import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { readProc } from "./leftovers";

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
  const processes = await readStatuses().catch(() => readPs().catch(() => []));
  const groups = new Map<number, number>();
  for (const [group = 0, kilobytes = 0] of processes)
    groups.set(group, (groups.get(group) ?? 0) + kilobytes * 1024);
  return groups;
}

/** Of each process its group, of several namespaces in this one, and its kilobytes. */
async function readStatuses(): Promise<number[][]> {
  const statuses = await readProc("status");
  return statuses.map(({ text }) => {
    const [, group] = /^NSpgid:.*\s(\d+)$/m.exec(text) ?? [];
    const [, kilobytes] = /^VmRSS:\s*(\d+)/m.exec(text) ?? [];
    return [Number(group ?? 0), Number(kilobytes ?? 0)];
  });
}

async function readPs(): Promise<number[][]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pgid=,rss="]);
  return stdout.split("\n").map((line) => line.trim().split(/\s+/).map(Number));
}
