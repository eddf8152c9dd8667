import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { REPOSITORY } from "../../../scripts/project";
import { cpuMsOf, memoryOf } from "../proc";
import { type Numbers, Observations, over, type Table } from "../table";
import { NATIVE, OURS } from "./inputs";

/** The address of the engine; nothing is sent to it. */
const ENGINE = "127.0.0.1:1";
const PLUGIN = join(REPOSITORY, "dist/plugin/pulumi-resource-agentserver");
const DYNAMIC = require.resolve("@pulumi/pulumi/cmd/dynamic-provider");
const CHILD = require.resolve("./processes.child");

const Added = z.record(z.string(), z.number());
const NATIVE_GOALS: Numbers = { "CPU (ms)": 0.35 };

const [CHECKS, CREATE] = ["ours until the first request", "ours with the first request"];
const ZOD = "zod alone";
/** Modules that are loaded into the process for dynamic providers, with the goals for what they add. */
const LOADED: readonly (readonly [name: string, target: string, goals?: Numbers])[] = [
  [CHECKS, "checks", { "RSS (MB)": 16 }],
  [CREATE, "create", { "RSS (MB)": 37 }],
  [ZOD, "zod"],
  ["axios alone", "axios"],
];

/** The cost of starting the provider processes, and of loading the package. */
export async function measureProcesses(
  controlPlaneUrl: string,
  times: number,
  signal: AbortSignal,
): Promise<Table[]> {
  const seen = new Observations();
  for (let time = 0; time < times; time++) {
    seen.add(OURS, await start([process.execPath, DYNAMIC, ENGINE], signal));
    seen.add(NATIVE, await start([PLUGIN, ENGINE], signal));
    for (const [name, target] of LOADED) {
      const args = ["--require", DYNAMIC, CHILD, ENGINE, controlPlaneUrl, target];
      const { stdout } = await promisify(execFile)(process.execPath, args, { signal });
      // The provider process prints its port first.
      seen.add(name, Added.parse(JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "")));
    }
  }
  const [ours, native] = [seen.row(OURS), seen.row(NATIVE)];
  const starts = [ours, native, over(native, ours, NATIVE_GOALS)];
  const loads = [
    ...LOADED.map(([name, , goals]) => seen.row(name, goals)),
    over(seen.row(CHECKS), seen.row(ZOD), { "CPU (ms)": 3 }),
    over(seen.row(CREATE), seen.row(ZOD), { "CPU (ms)": 5.5 }),
  ];
  return [
    { title: `start of the provider process (${times} times)`, rows: starts },
    { title: `what loading adds to the first (${times} times)`, rows: loads },
  ];
}

/** The resources of a process when it prints its port. */
async function start([program = "", ...args]: readonly string[], signal: AbortSignal) {
  // At the end of its input the native provider takes the engine for gone, and ends.
  const child = spawn(program, args, { signal, stdio: ["pipe", "pipe", "ignore"] });
  try {
    await once(child.stdout, "data");
    const pid = child.pid ?? NaN;
    return { "CPU (ms)": await cpuMsOf(pid), ...(await memoryOf(pid)) };
  } finally {
    child.kill("SIGKILL");
  }
}
