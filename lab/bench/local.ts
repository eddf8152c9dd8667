import { DEPLOYMENT_OPERATIONS, startDeployments } from "./local/deployments";
import { measureRequests } from "./local/requests";
import { measureStarts } from "./local/starts";
import { startThreads, THREAD_OPERATIONS } from "./local/threads";
import { memoryOf } from "./proc";
import type { Bench, Run } from "./run";
import { startFloor } from "./servers";
import { Observations, type Table } from "./table";

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
export async function measureLocal(run: Run, plan: typeof PLAN): Promise<Table[]> {
  const { deployments, threads, starts } = plan;
  const floor = await startFloor(run);
  run.say(`creating ${deployments.few} and ${deployments.many} deployments`);
  const few = await startDeployments(run, deployments.few);
  const many = await startDeployments(run, deployments.many);
  run.say("sending requests about deployments");
  const ofDeployments = await measureRequests(run, DEPLOYMENT_OPERATIONS, [floor, few, many], plan);
  const memory = new Observations();
  const servers = [few, many, { name: "floor", server: floor }];
  for (const { name, server } of servers) memory.add(name, await memoryOf(server.pid));
  run.say(`starting each platform ${starts} times`);
  await many.server.stop();
  const started = await measureStarts(run, starts, many);
  run.say(`creating ${threads.few} and ${threads.many} threads`);
  const small = await startThreads(run, threads.few);
  const large = await startThreads(run, threads.many);
  run.say("sending requests about threads");
  const ofThreads = await measureRequests(run, THREAD_OPERATIONS, [floor, small, large], plan);
  return [
    started,
    { title: `deployments (ms, ${plan.rounds} rounds)`, rows: ofDeployments },
    { title: "memory after these requests", rows: servers.map(({ name }) => memory.row(name)) },
    { title: `threads, no proxy (ms, ${plan.rounds} rounds)`, rows: ofThreads },
  ];
}
