import { ask } from "../load";
import { descendantsOf, memoryOf } from "../proc";
import type { Run } from "../run";
import { startFloor } from "../servers";
import { Observations, over, type Table } from "../table";
import type { Agent } from "./platform";

const secondsSince = (startMs: number) => (performance.now() - startMs) / 1000;

/** Deploys the agents in turn, each so many times, beside starts of the bare server. Memory is that of all its processes. */
export async function measureStarts(
  run: Run,
  agents: readonly Agent[],
  times: number,
): Promise<Table> {
  const seen = new Observations();
  for (let time = 1; time <= times; time++) {
    const floor = await startFloor(run);
    await ask(floor, { method: "GET", path: "/ok" }, run.signal);
    const seconds = secondsSince(floor.startedMs);
    const memory = await memoryOf(floor.pid);
    seen.add("floor", { "first answer (s)": seconds, "its server's (s)": seconds, ...memory });
    await floor.stop();
    for (const { name, platform, repoUrl } of agents) {
      const startMs = performance.now();
      const { deployment, deploySeconds } = await platform.deploy(`start-${time}`, repoUrl);
      seen.add(name, {
        "first answer (s)": secondsSince(startMs),
        "its server's (s)": deploySeconds,
        ...(await memoryOf(...(await descendantsOf(platform.server.pid)))),
      });
      await platform.remove(deployment);
    }
  }
  const floor = seen.row("floor");
  const rows = agents.map(({ name }) => seen.row(name));
  const ratios = agents.map(({ name, toFloor }) =>
    over(seen.row(name), floor, { "first answer (s)": toFloor }),
  );
  const title = `create to answer, installed before (${times} times)`;
  return { title, rows: [floor, ...rows, ...ratios] };
}
