import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { max } from "simple-statistics";
import { type ControlPlane, type Deployment } from "../../sdk";
import { factsOf } from "../../sdk/status";
import { messageOf } from "../../shared/errors";
import { makeRepository } from "../../scripts/git";
import { REPOSITORY } from "../../scripts/project";
import { shareCache } from "../shared-cache";
import { ask, CREATE_THREAD, type Request, send, type Target, threadIn } from "./load";
import { descendantsOf, memoryOf } from "./proc";
import type { Bench, Run } from "./run";
import { clientOf, startPlatform } from "./servers";
import { readDuring } from "./sockets";
import { type Numbers, Observations } from "./table";

/** The load during a roll-over: batches of requests, each over a connection of its own. */
interface Rate {
  readonly requests: number;
  readonly everyMs: number;
  /** A platform with so many unanswered batches is sent no more: it would do nothing but catch up. */
  readonly mostUnanswered: number;
}

const FAST: Rate = { requests: 10, everyMs: 50, mostUnanswered: 10 };
/** Requests to a real server may be held for 30 s. */
const SLOW: Rate = { requests: 2, everyMs: 100, mostUnanswered: 300 };
const BUILT_IN = "examples/quickstart/agent";
const FIXTURES = "tests/fixtures/agents";

/** The same small agent for each of the three servers, and the sockets that are open meanwhile: the built-in one has none. */
const AGENTS = [
  { name: "built-in", server: "built-in", files: BUILT_IN, rate: FAST, readers: 0 },
  { name: "JavaScript", server: "real", files: `${FIXTURES}/javascript`, rate: SLOW, readers: 20 },
  { name: "Python", server: "real", files: `${FIXTURES}/python`, rate: SLOW, readers: 20 },
] as const;

const GOALS = { failed: 0, "threads lost": 0, "sockets lost": 0 };

/** Often enough for figures in tenths of seconds, and not so often that it is work for the machine. */
const POLL_MS = 25;

/** Agent servers that the driver `process` starts. */
export const agents: Bench = {
  about: "deployments of the three agent servers: start, memory, roll-overs under load",
  measure: (run, { minutes }) =>
    measureAgents(run, { agents: AGENTS.length, rollOvers: 10, minutes }),
};

/**
 * Deploys each agent, and lets it roll over under load: so many times, and for at least so many minutes. What no run before
 * has installed is installed first.
 */
async function measureAgents(
  run: Run,
  plan: Readonly<Record<"agents" | "rollOvers" | "minutes", number>>,
): Promise<void> {
  const seen = new Observations();
  for (const agent of AGENTS.slice(0, plan.agents))
    try {
      seen.add(agent.name, await measureAgent(run, agent, plan));
    } catch (error) {
      run.signal.throwIfAborted();
      process.stderr.write(`\nNOT MEASURED: ${agent.name}: ${messageOf(error)}\n\n`);
    }
  const rows = AGENTS.map(({ name }) => seen.row(name, GOALS));
  const measured = rows.filter(({ figures }) => figures.length > 0);
  run.show({ title: "roll-overs under load", rows: measured });
}

async function measureAgent(
  run: Run,
  { name, server, files, rate, readers }: (typeof AGENTS)[number],
  { rollOvers, minutes }: Readonly<Record<"rollOvers" | "minutes", number>>,
): Promise<Numbers> {
  const { signal } = run;
  const dataDir = join(run.folder, `platform-${name}`);
  const platform = await startPlatform(run, dataDir, "process", 0, server);
  await shareCache(dataDir);
  const { controlPlane, bodyOf } = await clientOf(platform, signal);
  const { deployments } = controlPlane;
  const folder = join(run.folder, name);
  const { url } = await makeRepository(join(REPOSITORY, files), folder);
  const deploy = async (as: string) => {
    const deployment = await deployments.create(bodyOf(as, url), { signal });
    await untilDeployed(controlPlane, deployment, signal);
    const target = { url: deployment.url ?? "", apiKey: "none" };
    await ask(target, { method: "GET", path: "/ok" }, signal);
    return { deployment, target };
  };
  run.say(`${name}: installing`);
  await deployments.delete((await deploy("first")).deployment.id, { signal });
  run.say(`${name}: roll-overs under load`);
  const startMs = performance.now();
  const { deployment, target } = await deploy("under-load");
  const seconds = (performance.now() - startMs) / 1000;
  const memory = await memoryOf(...(await descendantsOf(platform.pid)));
  const endMs = performance.now() + minutes * 60_000;
  let times = 0;
  const rollOver = async () => {
    const body = { source_revision_config: { repo_ref: "main" } };
    for (; times < rollOvers || performance.now() < endMs; times++)
      await untilDeployed(controlPlane, await deployments.update(deployment.id, body), signal);
  };
  const load = await readDuring(target, readers, run, () =>
    loadDuring(target, rate, run, rollOver),
  );
  const after = await memoryOf(...(await descendantsOf(platform.pid)));
  await platform.stop();
  const end = { "RSS at the end (MB)": after["RSS (MB)"] ?? NaN, "roll-overs": times };
  return { "create to answer (s)": seconds, ...memory, ...load, ...end };
}

async function untilDeployed(
  { revisions }: ControlPlane,
  { id, latest_revision_id }: Deployment,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const revision = await revisions.get(id, latest_revision_id ?? "", { signal });
    const { phase } = factsOf(revision.status);
    if (phase === "deployed") return;
    if (phase !== "in progress")
      throw new Error(`a revision became ${revision.status}: ${revision.status_message}`);
    await sleep(POLL_MS, undefined, { signal });
  }
}

const read = (id: string): Request => ({ method: "GET", path: `/threads/${id}` });

/** All of them are read at the end. */
const MOST_THREADS = 10_000;

/** Sends batches until the work is done: one request creates a thread, the next reads it. At the end it reads all threads. */
async function loadDuring(
  target: Target,
  { requests, everyMs, mostUnanswered }: Rate,
  { signal, say }: Run,
  work: () => Promise<void>,
): Promise<Numbers> {
  const threads = new Set<string>();
  const durationsMs: number[] = [];
  let [failed, unanswered, isOver] = [0, 0, false];
  let last: string | undefined;
  const sendBatch = async () => {
    if (unanswered >= mostUnanswered) return;
    unanswered += 1;
    let place = 0;
    const isFull = threads.size >= MOST_THREADS;
    const next = () =>
      last === undefined || (place++ % 2 === 0 && !isFull) ? CREATE_THREAD : read(last);
    const onBody = (body: string) => threads.add((last = threadIn(body)));
    const load = await send(target, { requests, connections: 1 }, next, { signal, onBody });
    if (load.failed > 0) say(`${load.failed} of ${requests} requests failed: ${load.statuses}`);
    durationsMs.push(...load.durationsMs);
    failed += load.failed;
    unanswered -= 1;
  };
  const sendBatches = async (): Promise<void> => {
    if (!isOver) await Promise.all([sendBatch(), sleep(everyMs).then(sendBatches)]);
  };
  await Promise.all([sendBatches(), work().finally(() => (isOver = true))]);
  const ids = [...threads];
  const reads = { requests: ids.length, connections: 1 };
  const { failed: lost } = await send(target, reads, () => read(ids.pop() ?? ""), { signal });
  const sent = durationsMs.length;
  return { failed, "threads lost": lost, "longest wait (s)": max(durationsMs) / 1000, sent };
}
