import type { Row, Table } from "../figure";
import { memoryFigures } from "../platform/memory";
import { descendantsOf, memoryOf, waitedSecondsOf, type Memory } from "../proc";
import type { AgentPlatform } from "./platform";
import type { Prepared } from "./subjects";

/** A deployment that was made, and answered. */
interface Start {
  /** From the request that creates it to the first answer. */
  readonly seconds: number;
  readonly waitedSeconds: number;
  /** The part of it in which its server was started. */
  readonly deploySeconds: number;
  /** Of all processes of its server. */
  readonly memory: Memory;
}

/** Deploys the agents in turn, each so many times, and removes them again. */
export async function measureStarts(
  platform: AgentPlatform,
  prepared: readonly Prepared[],
  times: number,
): Promise<Table> {
  const seen = prepared.map((subject) => ({ subject, starts: new Array<Start>() }));
  for (let time = 1; time <= times; time++)
    for (const { subject, starts } of seen) starts.push(await startOnce(platform, subject, time));
  const rows = seen.map(({ subject, starts }) => toRow(subject, starts));
  return { title: `create to answer, installed before (${times} times)`, rows };
}

async function startOnce(
  platform: AgentPlatform,
  { name, repoUrl }: Prepared,
  time: number,
): Promise<Start> {
  const waitedBefore = await waitedSecondsOf(platform.pid);
  const startMs = performance.now();
  // What the platform waits while the server starts delays nothing.
  let waitedAfter = waitedBefore;
  const watch = async (status: string) => {
    if (!status.startsWith("DEPLOY")) waitedAfter = await waitedSecondsOf(platform.pid);
  };
  const deployment = await platform.deploy(`${name.toLowerCase()}-${time}`, repoUrl, watch);
  const seconds = (performance.now() - startMs) / 1000;
  const pids = await descendantsOf(platform.pid);
  const waits = await Promise.all(pids.map(waitedSecondsOf));
  const start = {
    seconds,
    waitedSeconds: waitedAfter - waitedBefore + sum(waits),
    deploySeconds: await platform.deploySeconds(deployment),
    memory: together(await Promise.all(pids.map(memoryOf))),
  };
  await platform.remove(deployment);
  return start;
}

function toRow({ name, startSeconds }: Prepared, starts: readonly Start[]): Row {
  const values = (of: (start: Start) => number) => starts.map(of);
  return {
    name,
    figures: [
      {
        name: "first answer",
        unit: "s",
        values: values(({ seconds }) => seconds),
        waited: values(({ waitedSeconds }) => waitedSeconds),
        atMost: startSeconds,
      },
      { name: "its server's part", unit: "s", values: values((start) => start.deploySeconds) },
      ...memoryFigures(starts.map(({ memory }) => memory)),
    ],
  };
}

/** NaN of no process: /proc does not tell of them. */
function together(parts: readonly Memory[]): Memory {
  if (parts.length === 0) return { rss: NaN, pss: NaN };
  return { rss: sum(parts.map(({ rss }) => rss)), pss: sum(parts.map(({ pss }) => pss)) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
