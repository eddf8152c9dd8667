import { ControlPlane } from "../../../sdk";
import { classify } from "../../../provider/deployment/service/status";
import { waitFor } from "../../../sdk/wait";
import { systemClock } from "../../../shared/clock";
import type { Run } from "../run";
import { Observations, over, type Table } from "../table";
import { WORKSPACE_ID } from "./inputs";

const DELAY = "longest delay after DEPLOYED (s)";

/** How long the roll-outs take, how many are waited for at once, and how often. */
interface Plan {
  readonly seconds: number;
  readonly atOnce: number;
  readonly times: number;
}

/** Waits for many roll-outs at once through one client, which limits its requests, beside one that waits alone. */
export async function measureWaits(run: Run, url: string, plan: Plan): Promise<Table> {
  const { seconds, atOnce, times } = plan;
  const seen = new Observations();
  run.say(`waiting for ${atOnce} roll-outs of ${seconds} s at once, ${times} times`);
  const [one, many] = ["one wait", `${atOnce} waits at once`];
  for (let time = 0; time < times; time++) {
    seen.add(one, await wait(run, url, seconds, 1));
    seen.add(many, await wait(run, url, seconds, atOnce));
  }
  const goals = { [DELAY]: 1.25, "requests of each": 1.1 };
  const rows = [seen.row(one), seen.row(many), over(seen.row(many), seen.row(one), goals)];
  return { title: `roll-outs of ${seconds} s, real requests (${times} times)`, rows };
}

async function wait({ signal }: Run, baseUrl: string, seconds: number, count: number) {
  const client = new ControlPlane({ baseUrl, apiKey: "key", workspaceId: WORKSPACE_ID });
  // The first request of a process loads the client.
  await client.revisions.get("d", "r", { signal });
  const deployedMs = performance.now() + seconds * 1000;
  let requests = 0;
  const poll = async () => {
    requests += 1;
    await client.revisions.get("d", "r", { signal });
    const isDeployed = performance.now() >= deployedMs;
    const status = isDeployed ? "DEPLOYED" : "DEPLOYING";
    return classify({ status, until: "deployed", isActive: true, deployedForMs: 0 });
  };
  const waitOnce = async () => {
    await waitFor({ poll, clock: systemClock, timeoutMs: Infinity, signal });
    return (performance.now() - deployedMs) / 1000;
  };
  const before = process.cpuUsage();
  const delays = await Promise.all(Array.from({ length: count }, waitOnce));
  const { user, system } = process.cpuUsage(before);
  return {
    [DELAY]: Math.max(...delays),
    "requests of each": requests / count,
    "CPU of each (ms)": (user + system) / 1000 / count,
  };
}
