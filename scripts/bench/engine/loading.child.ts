// Runs in Pulumi's dynamic-provider process, loads our provider or a module into it, and prints what that added.
// Arguments: that process's own, then the URL of a control plane, or the name of a module.
import { setTimeout as sleep } from "node:timers/promises";
import { argv, memoryUsage, pid } from "node:process";
import { Config } from "@pulumi/pulumi/cmd/dynamic-provider/config";
import { waitedSecondsOf } from "../proc";
import { argumentsOf, settingsFor } from "./inputs";
import type { Added } from "./loading";

type Lifecycles = typeof import("pulumi-agentserver/provider/lifecycle");

/** What the provider process starts by itself is done by then. */
const SETTLING_MS = 300;

interface Reading {
  readonly ms: number;
  readonly waitedMs: number;
  readonly bytes: number;
}

async function main(target: string): Promise<void> {
  await sleep(SETTLING_MS);
  const added = target.startsWith("http:") ? await addOurs(target) : await addModule(target);
  process.stdout.write(`${JSON.stringify(added)}\n`, () => process.exit());
}

async function addModule(name: string): Promise<Added[]> {
  const start = await read();
  require(name);
  return [since(start, await read())];
}

/** What is added until the first request, and with it. */
async function addOurs(baseUrl: string): Promise<Added[]> {
  const start = await read();
  const { deployment }: Lifecycles = require("pulumi-agentserver/provider/lifecycle");
  await deployment.configure?.({ config: new Config(settingsFor(baseUrl), "bench") });
  const checked = await deployment.check?.({}, argumentsOf(`agent-${pid}-1`));
  const inputs = { ...checked?.inputs };
  await deployment.diff?.("id", inputs, inputs);
  const idle = await read();
  await deployment.create(inputs);
  const all = await read();
  // What a create takes when everything is loaded is no part of loading.
  await deployment.create({ ...inputs, name: `agent-${pid}-2` });
  const create = since(all, await read());
  return [since(start, idle), { ...since(start, all), ms: all.ms - start.ms - create.ms }];
}

async function read(): Promise<Reading> {
  return {
    waitedMs: (await waitedSecondsOf(pid)) * 1000,
    bytes: memoryUsage.rss(),
    ms: performance.now(),
  };
}

function since(start: Reading, end: Reading): Added {
  return {
    ms: end.ms - start.ms,
    waitedMs: end.waitedMs - start.waitedMs,
    mebibytes: (end.bytes - start.bytes) / 2 ** 20,
  };
}

// The provider process lives on whatever is thrown in it.
main(argv.at(-1) ?? "").catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`, () => process.exit(1));
});
