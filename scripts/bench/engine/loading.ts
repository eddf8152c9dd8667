import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { z } from "zod";
import type { Figure, Row, Table } from "../figure";
import type { Servers } from "../servers";

const run = promisify(execFile);
const CHILD = require.resolve("./loading.child");
const PROVIDER_PROCESS = require.resolve("@pulumi/pulumi/cmd/dynamic-provider");
/** The address of the engine; nothing is sent to it. */
const ENGINE = "127.0.0.1:1";

const Added = z.object({ ms: z.number(), waitedMs: z.number(), mebibytes: z.number() });
/** What loading something added to a process. */
export type Added = z.infer<typeof Added>;

/**
 * Loads our package into a fresh provider process each time, and the two libraries that it brings: until check and diff are
 * done, and with the first request. Memory is what is resident (RSS) in MiB.
 */
export async function measureLoading(
  servers: Servers,
  { times, signal }: { times: number; signal: AbortSignal },
): Promise<Table> {
  const server = await servers.start(require.resolve("./ready"));
  const seen = {
    ours: new Array<Added[]>(),
    zod: new Array<Added[]>(),
    axios: new Array<Added[]>(),
  };
  for (let time = 0; time < times; time++) {
    seen.ours.push(await load(`http://127.0.0.1:${server.port}`, signal));
    seen.zod.push(await load("zod", signal));
    seen.axios.push(await load("axios", signal));
  }
  await server.stop();
  const rows = [
    toRow("until the first request", place(seen.ours, 0), { ms: 150, mebibytes: 15 }),
    toRow("in all", place(seen.ours, 1), { ms: 300, mebibytes: 35 }),
    toRow("zod alone", place(seen.zod, 0)),
    toRow("axios alone", place(seen.axios, 0)),
  ];
  return { title: `what loading adds to the provider process (${times} times)`, rows };
}

async function load(target: string, signal: AbortSignal): Promise<Added[]> {
  const args = ["--require", PROVIDER_PROCESS, CHILD, ENGINE, target];
  const { stdout } = await run(process.execPath, args, { signal });
  // The provider process prints its port first.
  return z.array(Added).parse(JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? ""));
}

const place = (seen: readonly Added[][], index: number): Added[] =>
  seen.flatMap((added) => added.slice(index, index + 1));

function toRow(name: string, seen: readonly Added[], goals?: Pick<Added, "ms" | "mebibytes">): Row {
  const time: Figure = {
    name: "time",
    unit: "ms",
    values: seen.map(({ ms }) => ms),
    waited: seen.map(({ waitedMs }) => waitedMs),
  };
  const memory: Figure = {
    name: "memory",
    unit: "MiB",
    values: seen.map(({ mebibytes }) => mebibytes),
  };
  if (!goals) return { name, figures: [time, memory] };
  return {
    name,
    figures: [
      { ...time, atMost: goals.ms },
      { ...memory, atMost: goals.mebibytes },
    ],
  };
}
