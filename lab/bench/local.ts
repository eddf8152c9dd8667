import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { ask } from "./load";
import { DEPLOYMENT_OPERATIONS, FIRST_PAGE, startDeployments } from "./local/deployments";
import { measureRequests } from "./local/requests";
import { startThreads, THREAD_OPERATIONS } from "./local/threads";
import { memoryOf } from "./proc";
import type { Bench, Run, Server } from "./run";
import { startFloor, startPlatform } from "./servers";
import { Observations, over, type Table } from "./table";

/** Number of entries of the servers that are compared, of starts of each, and of requests. */
const PLAN = {
  deployments: { few: 10, many: 1000 },
  threads: { few: 100, many: 10_000 },
  starts: 5,
  rounds: 7,
  paces: [
    { connections: 1, requests: 60 },
    { connections: 8, requests: 160 },
  ],
};

/** The local platform with the simulated driver, and the built-in agent server. */
export const local: Bench = {
  about: "the local platform and the built-in agent server, beside a bare Hono server",
  measure: (run) => measureLocal(run, PLAN),
};

/** Measures requests to servers with few and with many entries, what platforms hold then, and their starts. */
async function measureLocal(run: Run, plan: typeof PLAN): Promise<void> {
  const { deployments, threads, starts } = plan;
  const floor = await startFloor(run);
  run.say(`creating ${deployments.few} and ${deployments.many} deployments`);
  const few = await startDeployments(run, deployments.few);
  const many = await startDeployments(run, deployments.many);
  run.say("sending requests about deployments");
  const ofDeployments = await measureRequests(run, DEPLOYMENT_OPERATIONS, [floor, few, many], plan);
  run.show({ title: `deployments (ms, ${plan.rounds} rounds)`, rows: ofDeployments });
  const memory = new Observations();
  const servers = [few, many, { name: "floor", server: floor }];
  for (const { name, server } of servers) memory.add(name, await memoryOf(server.pid));
  run.show({
    title: "memory after these requests",
    rows: servers.map(({ name }) => memory.row(name)),
  });
  run.say(`starting each platform ${starts} times`);
  await many.server.stop();
  run.show(await measureStarts(run, starts, many));
  run.say(`creating ${threads.few} and ${threads.many} threads`);
  const small = await startThreads(run, threads.few);
  const large = await startThreads(run, threads.many);
  run.say("sending requests about threads");
  const ofThreads = await measureRequests(run, THREAD_OPERATIONS, [floor, small, large], plan);
  run.show({ title: `threads, no proxy (ms, ${plan.rounds} rounds)`, rows: ofThreads });
}

/** Starts a platform in a new folder, a populated one and the bare server in turn, and asks each for its first list page. */
async function measureStarts(
  run: Run,
  times: number,
  { name, dataDir }: { readonly name: string; readonly dataDir: string },
): Promise<Table> {
  const seen = new Observations();
  const answer = async (subject: string, starting: Promise<Server>) => {
    const server = await starting;
    await ask(server, FIRST_PAGE, run.signal);
    const seconds = (performance.now() - server.startedMs) / 1000;
    seen.add(subject, { "first answer (s)": seconds, ...(await memoryOf(server.pid)) });
    await server.stop();
  };
  for (let time = 0; time < times; time++) {
    const newDir = await mkdtemp(join(run.folder, "new-"));
    await answer("new folder", startPlatform(run, newDir, "simulated"));
    await answer(name, startPlatform(run, dataDir, "simulated"));
    await answer("floor", startFloor(run));
  }
  const [fresh, floor] = [seen.row("new folder", { "RSS (MB)": 90 }), seen.row("floor")];
  const rows = [fresh, seen.row(name), floor, over(fresh, floor, { "first answer (s)": 3 })];
  return { title: `start (${times} times)`, rows };
}
