import { setTimeout as sleep } from "node:timers/promises";
import { max } from "simple-statistics";
import { z } from "zod";
import { type Request, send, type Target } from "../load";
import type { Run } from "../run";
import { type Numbers, Observations, type Table } from "../table";
import type { Agent } from "./platform";

/** Lets one deployment of each agent roll over so many times under load, and counts what becomes of the requests. */
export async function measureRollOvers(
  run: Run,
  agents: readonly Agent[],
  times: number,
): Promise<Table> {
  const seen = new Observations();
  for (const { name, platform, repoUrl, rate } of agents) {
    run.say(`${name}: ${times} roll-overs under load`);
    const { deployment, target } = await platform.deploy("under-load", repoUrl);
    const rollOvers = async () => {
      for (let time = 0; time < times; time++) await platform.rollOver(deployment);
    };
    seen.add(name, await loadDuring(target, rate, run, rollOvers));
    await platform.remove(deployment);
  }
  const rows = agents.map(({ name }) => seen.row(name, { failed: 0, "threads lost": 0 }));
  return { title: `${times} roll-overs under load`, rows };
}

const Thread = z.object({ thread_id: z.string() });
const CREATE: Request = { method: "POST", path: "/threads", body: {} };
const read = (id: string): Request => ({ method: "GET", path: `/threads/${id}` });

/** Sends batches until the work is done: one request creates a thread, the next reads it. At the end it reads all threads. */
async function loadDuring(
  target: Target,
  { requests, everyMs, mostUnanswered }: Agent["rate"],
  { signal, say }: Run,
  work: () => Promise<void>,
): Promise<Numbers> {
  const threads = new Set<string>();
  const durationsMs: number[] = [];
  let [sent, failed, unanswered] = [0, 0, 0];
  let last: string | undefined;
  const sendBatch = async () => {
    if (unanswered >= mostUnanswered) return;
    unanswered += 1;
    let place = 0;
    const next = () => (place++ % 2 === 0 || last === undefined ? CREATE : read(last));
    const onBody = (body: string) => {
      last = Thread.parse(JSON.parse(body)).thread_id;
      threads.add(last);
    };
    const load = await send(target, { requests, connections: 1 }, next, { signal, onBody });
    if (load.failed > 0) say(`${load.failed} of ${requests} requests failed: ${load.statuses}`);
    durationsMs.push(...load.durationsMs);
    failed += load.failed;
    sent += requests;
    unanswered -= 1;
  };
  const startMs = performance.now();
  let seconds: number | undefined;
  const sendBatches = async (): Promise<void> => {
    if (seconds === undefined) await Promise.all([sendBatch(), sleep(everyMs).then(sendBatches)]);
  };
  const end = () => (seconds = (performance.now() - startMs) / 1000);
  await Promise.all([sendBatches(), work().finally(end)]);
  const ids = [...threads];
  const reads = { requests: ids.length, connections: 1 };
  const { failed: lost } = await send(target, reads, () => read(ids.pop() ?? ""), { signal });
  return {
    failed,
    "threads lost": lost,
    "longest wait (s)": max(durationsMs) / 1000,
    "sent (/s)": sent / (seconds ?? NaN),
    requests: sent,
    threads: threads.size,
  };
}
