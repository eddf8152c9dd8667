import { mean } from "simple-statistics";
import { ControlPlane } from "../../../sdk";
import { classify } from "../../../provider/deployment/service/status";
import { waitFor } from "../../../sdk/wait";
import { systemClock } from "../../../shared/clock";
import type { Run } from "../run";
import { Observations, over, type Table } from "../table";
import { WORKSPACE_ID } from "./inputs";

const DELAY = "mean delay after DEPLOYED (s)";

/** How long the shortest roll-out takes, which is half of the longest; how many are waited for at once, and how often. */
interface Plan {
  readonly seconds: number;
  readonly atOnce: number;
  readonly times: number;
}

/** Waits for many roll-outs at once through one client, which limits its requests, beside a client for each. */
export async function measureWaits(run: Run, url: string, plan: Plan): Promise<Table> {
  const { seconds, atOnce, times } = plan;
  const title = `${atOnce} roll-outs of ${seconds} to ${2 * seconds} s at once, real requests (${times} times)`;
  const seen = new Observations();
  run.say(`waiting for ${title}`);
  const [each, all] = ["a client for each", "one client for all"];
  for (let time = 0; time < times; time++) {
    seen.add(each, await wait(run, plan, () => newClient(url)));
    const client = newClient(url);
    seen.add(all, await wait(run, plan, () => client));
  }
  const goals = { [DELAY]: 1.25, "requests of each": 1.1 };
  return {
    title,
    rows: [seen.row(each), seen.row(all), over(seen.row(all), seen.row(each), goals)],
  };
}

const newClient = (baseUrl: string) =>
  new ControlPlane({ baseUrl, apiKey: "key", workspaceId: WORKSPACE_ID });

async function wait({ signal }: Run, { seconds, atOnce }: Plan, clientOf: () => ControlPlane) {
  // The first request of a process loads the client.
  await clientOf().revisions.get("d", "r", { signal });
  const startMs = performance.now();
  let requests = 0;
  /** They end evenly over the time of several polls: a wait is late by what is left of its pause. */
  const waitOnce = async (index: number) => {
    const client = clientOf();
    const deployedMs = startMs + seconds * 1000 * (1 + index / atOnce);
    const poll = async () => {
      requests += 1;
      await client.revisions.get("d", "r", { signal });
      const isDeployed = performance.now() >= deployedMs;
      const status = isDeployed ? "DEPLOYED" : "DEPLOYING";
      return classify({ status, until: "deployed", isActive: true, deployedForMs: 0 });
    };
    await waitFor({ poll, clock: systemClock, timeoutMs: Infinity, signal });
    return (performance.now() - deployedMs) / 1000;
  };
  const before = process.cpuUsage();
  const delays = await Promise.all(Array.from({ length: atOnce }, (_, index) => waitOnce(index)));
  const { user, system } = process.cpuUsage(before);
  return {
    [DELAY]: mean(delays),
    "requests of each": requests / atOnce,
    "CPU of each (ms)": (user + system) / 1000 / atOnce,
  };
}
