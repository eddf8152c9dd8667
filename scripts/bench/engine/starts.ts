import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { REPOSITORY } from "../../project";
import { over, type Row, type Table } from "../figure";
import { memoryOf } from "../proc";
import { NATIVE, OURS } from "./kinds";

/** The address of the engine; nothing is sent to it. */
const ENGINE = "127.0.0.1:1";

/** The provider processes as Pulumi starts them. */
const COMMANDS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  [OURS]: [process.execPath, require.resolve("@pulumi/pulumi/cmd/dynamic-provider"), ENGINE],
  [NATIVE]: [join(REPOSITORY, "dist/plugin/pulumi-resource-agentserver"), ENGINE],
};

/** What a provider process takes until it has printed its port: CPU time, and memory in MB of 10^6 bytes (RSS). */
export async function measureStarts(times: number, signal: AbortSignal): Promise<Table> {
  const seen = new Map(Object.keys(COMMANDS).map((name) => [name, new Array<Start>()]));
  for (let time = 0; time < times; time++)
    for (const [name, starts] of seen) starts.push(await start(name, signal));
  const rowOf = (name: string): Row => ({
    name,
    figures: [
      { name: "CPU", unit: "ms", values: (seen.get(name) ?? []).map(({ cpuMs }) => cpuMs) },
      { name: "memory", unit: "MB", values: (seen.get(name) ?? []).map(({ rss }) => rss) },
    ],
  });
  const [ours, native] = [rowOf(OURS), rowOf(NATIVE)];
  return {
    title: `start of the provider process (${times} times)`,
    rows: [ours, native, over(native, ours, { CPU: 0.35 })],
  };
}

interface Start {
  readonly cpuMs: number;
  readonly rss: number;
}

async function start(name: string, signal: AbortSignal): Promise<Start> {
  const [program = "", ...args] = COMMANDS[name] ?? [];
  // At the end of its input the native provider takes the engine for gone, and ends.
  const child = spawn(program, args, { signal, stdio: ["pipe", "pipe", "ignore"] });
  try {
    await once(child.stdout, "data");
    const pid = child.pid ?? NaN;
    return { cpuMs: await cpuMsOf(pid), rss: (await memoryOf(pid)).rss };
  } finally {
    child.kill("SIGKILL");
  }
}

/** Linux counts in ticks, a hundred a second. */
const TICK_MS = 10;

/** The CPU time of a process, of its own and of the system for it (fields 14 and 15 of Linux's `stat`); NaN elsewhere. */
async function cpuMsOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const [user, system] = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13)
    .map(Number);
  return ((user ?? NaN) + (system ?? NaN)) * TICK_MS;
}
