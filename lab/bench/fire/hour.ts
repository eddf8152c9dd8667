import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sum } from "simple-statistics";
import { z } from "zod";
import { Random } from "../../faults/random";
import { GitRepository } from "../../../scripts/git";
import { REPOSITORY } from "../../../scripts/project";
import { AGENTS } from "../agents";
import { type AgentPlatform, startAgentPlatform } from "../agents/platform";
import { ask } from "../load";
import { get, post } from "../local/requests";
import { descendantsOf, descriptorsOf, memoryOf } from "../proc";
import type { Run, Server } from "../run";
import { clientOf, startPlatform } from "../servers";
import { type Numbers, Observations, over, type Table } from "../table";
import { Answers } from "./answers";
import { type Site, Worker } from "./worker";

const WORKERS = 4;
const STAGE_SECONDS = 0.2;
/** Average pauses: of a worker after each request, of those who talk to agents, and between two pushes. */
const PAUSE_MS = 150;
const AGENT_PAUSE_MS = 400;
const PUSH_PAUSE_MS = 15_000;
const POLL_MS = 100;
const PUSH_LIMIT_MS = 180_000;
const STREAM_MS = 30_000;
const LEAST_STREAM_MS = 3000;
/** Threads of each agent: they are there to the end. */
const KEPT = 50;
/** The last quarter to the first one. */
const GROWTH = { "RSS (MB)": 1.2, "PSS of all (MB)": 1.2, descriptors: 1.2, processes: 1.2 };
/** The message of `AbortSignal.timeout`. */
const TIMEOUT = /due to timeout/;
const CREATE = post("/threads", {});

const Workspace = z.object({ workspaceId: z.string(), apiKey: z.string() });
const Listeners = z.object({ resources: z.tuple([z.object({ id: z.string() })]) });
const Thread = z.object({ thread_id: z.string() });

/** An agent whose server rolls over after each push. */
type Rolling = Awaited<ReturnType<typeof deploy>>;

/**
 * Two platforms under load: one with many deployments in two workspaces, whose driver is simulated, and one with a few on
 * real agent servers, which roll over after pushes to their repositories.
 */
export async function measureHour(
  run: Run,
  { minutes, seed, underLoad, agents }: Record<"minutes" | "seed" | "underLoad" | "agents", number>,
): Promise<Table[]> {
  const { signal } = run;
  const [random, answers] = [new Random(seed), new Answers(run)];
  const many = await startPlatform(run, join(run.folder, "many"), "simulated", {
    stageSeconds: STAGE_SECONDS,
  });
  const used = AGENTS.slice(0, agents);
  const { agentServer } = used.at(-1) ?? { agentServer: "built-in" };
  const real = await startAgentPlatform(run, agentServer);
  run.say(`creating ${underLoad} deployments, and ${agents} on real agent servers`);
  const admin = { "X-Local-Key": many.adminKey };
  const added = { ...post("/_local/workspaces", { name: "second" }), headers: admin };
  const second = Workspace.parse(JSON.parse(await ask(many, added, signal)));
  const site = await siteOf(many, signal);
  const sites: [Site, Site] = [site, await siteOf({ ...many, ...second }, signal)];
  const parts = { answers, random, signal };
  const workers = Array.from(
    { length: WORKERS },
    (_, place) => new Worker(sites[place % 2] ?? site, `worker-${place}`, parts),
  );
  const most = Math.ceil(underLoad / WORKERS);
  await Promise.all(workers.map((worker) => worker.fill(most)));
  const rolling: Rolling[] = [];
  for (const agent of used.filter((one) => one.agentServer === agentServer))
    rolling.push(await deploy(run, real, agent));

  run.say(`${minutes} minutes of load`);
  let endMs = performance.now() + minutes * 60_000;
  const repeat = async (pauseMs: number, work: () => Promise<unknown>) => {
    while (performance.now() < endMs) {
      await work();
      await sleep(random.below(2 * pauseMs), undefined, { signal });
    }
  };
  const watch = (of: Site, id: string) =>
    ["deployments", "requests", `deployments/${id}`, `deployments/${id}/log`].map((path) =>
      repeat(0, () => follow(answers, of, path, Math.min(STREAM_MS, endMs - performance.now()))),
    );
  const { bodyOf, controlPlane } = site.client;
  const watched = await controlPlane.deployments.create(
    bodyOf("watched", "https://git.example.com/acme/watched.git"),
  );
  const samples: Numbers[][] = [];
  const sample = async () => {
    await sleep(minutes < 10 ? 10_000 : 30_000, undefined, { signal });
    const platforms = [many, real.server];
    samples.push(await Promise.all(platforms.map(({ pid }) => numbersOf(pid))));
    run.say(`${formatted(samples.at(-1) ?? [])}; ${answers.recent()}`);
  };
  let pushed = 0;
  const push = async () => {
    const agent = rolling[(pushed += 1) % rolling.length];
    if (agent) await answers.time("push to roll-over", () => pushTo(real, agent, `${pushed}`));
  };
  await Promise.all([
    ...workers.map((worker) => repeat(PAUSE_MS, () => worker.act(most))),
    ...rolling.map((agent) => repeat(AGENT_PAUSE_MS, () => talk(answers, agent, signal))),
    ...watch(site, watched.id),
    ...(rolling[0] ? watch(await siteOf(real.server, signal), rolling[0].deployment.id) : []),
    repeat(PUSH_PAUSE_MS, push),
    repeat(0, sample),
  ]).finally(() => (endMs = 0));
  for (const { threads, target } of rolling)
    for (const id of threads)
      await answers.time("agent server", () => ask(target, get(`/threads/${id}`), signal));
  return [
    growthOf(samples, minutes),
    { title: `answers in ${minutes} minutes`, rows: answers.rows() },
  ];
}

/** A row for the first and the last quarter of the samples of each platform, and what became of each number. */
function growthOf(samples: readonly Numbers[][], minutes: number): Table {
  const seen = new Observations();
  const quarter = Math.max(Math.floor(samples.length / 4), 1);
  const rows = ["simulated", "process"].flatMap((driver, place) => {
    const [first, last] = [`${driver}, first quarter`, `${driver}, last quarter`];
    for (const numbers of samples.slice(0, quarter)) seen.add(first, numbers[place] ?? {});
    for (const numbers of samples.slice(-quarter)) seen.add(last, numbers[place] ?? {});
    return [seen.row(first), seen.row(last), over(seen.row(last), seen.row(first), GROWTH)];
  });
  return { title: `platforms in ${minutes} minutes`, rows };
}

async function numbersOf(pid: number): Promise<Numbers> {
  const below = await descendantsOf(pid);
  const [own, ...others] = await Promise.all([pid, ...below].map((one) => memoryOf(one)));
  // A child may have ended meanwhile.
  const all = [own, ...others].map((memory) => memory?.["PSS (MB)"] ?? NaN);
  return {
    "RSS (MB)": own?.["RSS (MB)"] ?? NaN,
    "PSS of all (MB)": sum(all.filter((megabytes) => !Number.isNaN(megabytes))),
    descriptors: await descriptorsOf(pid),
    processes: 1 + below.length,
  };
}

function formatted(platforms: readonly Numbers[]): string {
  const texts = platforms.map((numbers) =>
    Object.entries(numbers)
      .map(([name, value]) => `${name} ${Math.round(value)}`)
      .join(", "),
  );
  return texts.join("; ");
}

/** Deploys an agent that is built on a push. */
async function deploy(run: Run, platform: AgentPlatform, { name, files }: (typeof AGENTS)[number]) {
  const repository = await GitRepository.from(join(REPOSITORY, files), join(run.folder, name));
  const deployed = await platform.deploy("rolling-" + name.toLowerCase(), repository.url, true);
  const threads: string[] = [];
  return { ...deployed, repository, threads };
}

/** Pushes a commit; resolves when its server serves. */
async function pushTo(platform: AgentPlatform, { repository, deployment }: Rolling, text: string) {
  await writeFile(join(repository.dir, "pushed.txt"), text);
  const commit = await repository.commit("A push");
  const { revisions } = platform.controlPlane;
  const endMs = performance.now() + PUSH_LIMIT_MS;
  while (performance.now() < endMs) {
    await sleep(POLL_MS);
    const [newest] = await revisions.newest(deployment.id, 1);
    if (newest?.source_revision_config?.repo_commit_sha !== commit) continue;
    return platform.untilDeployed({ ...deployment, latest_revision_id: newest.id });
  }
  throw new Error(`commit ${commit} was not rolled out`);
}

/** Creates a thread on an agent server, reads it, and deletes the one that was there longest. */
async function talk(answers: Answers, { target, threads }: Rolling, signal: AbortSignal) {
  await answers.time("agent server", async () => {
    const { thread_id } = Thread.parse(JSON.parse(await ask(target, CREATE, signal)));
    threads.push(thread_id);
  });
  const send = (method: "GET" | "DELETE", id: string) =>
    answers.time("agent server", () => ask(target, { method, path: `/threads/${id}` }, signal));
  const [newest, oldest] = [threads.at(-1), threads.length > KEPT ? threads.shift() : undefined];
  if (newest !== undefined) await send("GET", newest);
  if (oldest !== undefined) await send("DELETE", oldest);
}

/** Reads a live view of the page for some time, which must begin at once and not end by itself. */
async function follow(answers: Answers, { page, cookie }: Site, path: string, forMs: number) {
  const end = AbortSignal.timeout(Math.max(Math.round(forMs), LEAST_STREAM_MS));
  const reader = await answers.time("live view, first event", async () => {
    const response = await fetch(`${page.url}/live/${path}`, { headers: { cookie }, signal: end });
    const body = response.body?.getReader();
    if (!response.ok || (await body?.read())?.done !== false)
      throw new Error(`${path}: ${response.status}`);
    return body;
  });
  await answers.time(
    "live view, to its end",
    async () => {
      while ((await reader?.read())?.done === false);
      throw new Error(`${path} ended`);
    },
    TIMEOUT,
  );
}

/** What a worker needs of a workspace. */
async function siteOf(server: Server, signal: AbortSignal): Promise<Site> {
  const client = await clientOf(server, signal);
  const { resources } = Listeners.parse(
    JSON.parse(await ask(server, get("/v2/listeners"), signal)),
  );
  const opened = await fetch(server.pageUrl, { redirect: "manual", signal });
  const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
  const page = { url: new URL(server.pageUrl).origin, apiKey: "none" };
  return {
    client,
    target: server,
    listenerId: resources[0].id,
    adminKey: server.adminKey,
    page,
    cookie,
  };
}
