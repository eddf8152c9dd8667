import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { REPOSITORY } from "../../project";
import { cpuMsOf, memoryOf } from "../proc";
import { type Numbers, Observations, over, type Row, type Table } from "../table";
import { NATIVE, OURS } from "./inputs";

/** The address of the engine; nothing is sent to it. */
const ENGINE = "127.0.0.1:1";
const PLUGIN = join(REPOSITORY, "dist/plugin/pulumi-resource-agentserver");
const DYNAMIC = require.resolve("@pulumi/pulumi/cmd/dynamic-provider");
const CHILD = require.resolve("./processes.child");

const NATIVE_GOALS: Numbers = { "CPU (ms)": 0.35 };

/** What is loaded into the process for dynamic providers, with the goals for what that adds. */
const LOADED: readonly (readonly [name: string, target: string, goals?: Numbers])[] = [
  ["ours until the first request", "checks", { "CPU (ms)": 150, "RSS (MB)": 16 }],
  ["ours with the first request", "create", { "CPU (ms)": 300, "RSS (MB)": 37 }],
  ["zod alone", "zod"],
  ["axios alone", "axios"],
];

/** What it takes to start the provider processes, and to load the package. */
export async function measureProcesses(
  controlPlaneUrl: string,
  times: number,
  signal: AbortSignal,
): Promise<Table[]> {
  const dynamic = ["--require", DYNAMIC, CHILD, ENGINE, controlPlaneUrl];
  const loaded = (target: string) =>
    untilLine(/^loaded$/, [process.execPath, ...dynamic, target], signal);
  const seen = new Observations();
  for (let time = 0; time < times; time++) {
    seen.add(OURS, await loaded("nothing"));
    seen.add(NATIVE, await untilLine(/^\d+$/, [PLUGIN, ENGINE], signal));
    for (const [name, target] of LOADED) seen.add(name, await loaded(target));
  }
  const [ours, native] = [seen.row(OURS), seen.row(NATIVE)];
  const starts = [ours, native, over(native, ours, NATIVE_GOALS)];
  const loads = LOADED.map(([name, , goals]) => less(seen.row(name, goals), ours));
  return [
    { title: `start of the provider process (${times} times)`, rows: starts },
    { title: `what loading adds to the first (${times} times)`, rows: loads },
  ];
}

function less({ name, figures }: Row, base: Row): Row {
  const differences = figures.map((figure, place) => {
    const others = base.figures[place]?.values ?? [];
    const values = figure.values.map((value, time) => value - (others[time] ?? NaN));
    return { ...figure, values };
  });
  return { name, figures: differences };
}

/** What a process has taken when it prints such a line. */
async function untilLine(
  line: RegExp,
  [program = "", ...args]: readonly string[],
  signal: AbortSignal,
): Promise<Numbers> {
  // At the end of its input the native provider takes the engine for gone, and ends.
  const child = spawn(program, args, { signal, stdio: ["pipe", "pipe", "inherit"] });
  try {
    for await (const printed of createInterface(child.stdout)) if (line.test(printed)) break;
    const pid = child.pid ?? NaN;
    return { "CPU (ms)": await cpuMsOf(pid), ...(await memoryOf(pid)) };
  } finally {
    child.kill("SIGKILL");
  }
}
