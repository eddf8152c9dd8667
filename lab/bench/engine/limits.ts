import { strictEqual } from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { tokenBucket } from "../../faults/conditions";
import { endBefore } from "../../faults/fault-injector";
import { startProxy } from "../../faults/proxy";
import { startDeployments } from "../local/deployments";
import type { Run, Server } from "../run";
import { CLI, clientOf, startPlatform } from "../servers";
import { Observations, type Table } from "../table";
import { NATIVE, OURS, settingsFor } from "./inputs";
import { withStack } from "./stack";

/** Requests a second of each bucket, and the number of deployments of a stack and of a list. */
interface Plan {
  readonly rates: readonly number[];
  readonly resources: number;
  readonly listed: number;
}

type Bucket = Awaited<ReturnType<typeof startBucket>>;
type Work = () => Promise<{ readonly seconds: number }>;

const STAGE_SECONDS = 0.2;
const PARALLEL = [[], ["--parallel", "64"]];
const GOALS = { "time : least": 1.3, "429 of all (%)": 10 };

/**
 * Stacks through each front end on control planes that answer 429 to more than a rate, created and destroyed with the default
 * number at once and with 64, and a long `list`: each must end right in its first run. The least time is that without a
 * limit, or that in which the bucket lets the requests through.
 */
export async function measureLimits(run: Run, { rates, resources, listed }: Plan): Promise<Table> {
  const dataDir = join(run.folder, "limits");
  const server = await startPlatform(run, dataDir, "simulated", STAGE_SECONDS);
  const { controlPlane, bodyOf } = await clientOf(server, run.signal);
  const integration = { "bench:integrationId": `${bodyOf("", "").source_config.integration_id}` };
  const seen = new Observations();
  const names: string[] = [];
  const measure = async (bucket: Bucket, works: Readonly<Record<string, Work>>): Promise<void> => {
    const alone: Record<string, number> = {};
    for (const rate of [Infinity, ...rates])
      for (const [work, start] of Object.entries(works)) {
        const name = `${work}, ${rate === Infinity ? "no limit" : `${rate} a second`}`;
        run.say(name);
        const counts = bucket.limitTo(rate);
        const { seconds } = await start();
        const least = Math.max((alone[work] ??= seconds), counts.let / rate);
        seen.add(name, {
          "time : least": seconds / least,
          "429 of all (%)": (counts.refused / (counts.let + counts.refused)) * 100,
          requests: counts.let,
          "time (s)": seconds,
        });
        names.push(name);
      }
    bucket.close();
  };
  for (const kind of [OURS, NATIVE] as const)
    for (const options of PARALLEL)
      await withStack(run.signal, async (stack) => {
        const bucket = await startBucket(server.url);
        const worksOf = (verb: "up" | "destroy", left: number) => ({
          [[verb, kind, ...options].join(" ")]: async () => {
            const measured = await stack[verb](...options);
            strictEqual((await Array.fromAsync(controlPlane.deployments.list())).length, left);
            return measured;
          },
        });
        const settings = settingsFor(bucket.url, server);
        await stack.init(kind, resources, { ...settings, ...integration });
        await measure(bucket, { ...worksOf("up", resources), ...worksOf("destroy", 0) });
      });
  const full = await startDeployments(run, listed);
  const bucket = await startBucket(full.server.url);
  await measure(bucket, { [`list of ${listed}`]: () => list(full.server, bucket.url, listed) });
  const rows = names.map((name) => seen.row(name, GOALS));
  return { title: `${resources} deployments behind a bucket`, rows };
}

/** Lists so many deployments with their revisions, as the command does. */
async function list({ apiKey, workspaceId }: Server, url: string, count: number) {
  const args = ["list", "--limit", `${count}`, "--base-url", url, "--workspace-id", workspaceId];
  const env = { ...process.env, AGENTSERVER_API_KEY: apiKey };
  const startMs = performance.now();
  await promisify(execFile)(process.execPath, [CLI, ...args], { env, maxBuffer: Infinity });
  return { seconds: (performance.now() - startMs) / 1000 };
}

/** Starts a proxy that lets so many requests a second through, a second's worth at once, and answers 429 to the others. */
async function startBucket(target: string) {
  const proxy = await startProxy(target);
  const limitTo = (rate: number) => {
    const counts = { let: 0, refused: 0 };
    const isLet = tokenBucket(rate, () => performance.now());
    proxy.handler = async (passing, reach) => {
      const isThrough = isLet();
      counts[isThrough ? "let" : "refused"] += 1;
      return isThrough ? reach() : (endBefore("429", passing) ?? "closed");
    };
    return counts;
  };
  return { url: proxy.url, close: () => proxy.close(), limitTo };
}
