import { strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { makeProject } from "../../../scripts/project";
import { startProxy } from "../../faults/proxy";
import type { Run } from "../run";
import { clientOf, startPlatform } from "../servers";
import { Observations, type Table } from "../table";
import { NATIVE, OURS, settingsFor } from "./inputs";
import { benchStack } from "./stack";

/** Requests a second of each bucket, and the number of deployments of a stack. */
interface Plan {
  readonly rates: readonly number[];
  readonly resources: number;
}

const STAGE_SECONDS = 0.2;
const PARALLEL = [[], ["--parallel", "64"]];
const GOALS = { "time : least": 1.3, "429 of all (%)": 10 };

/**
 * Stacks through each front end on control planes that answer 429 to more than a rate, created and destroyed with the default
 * number at once and with 64: each must end right in its first run. The least time is that without a limit, or that in which
 * the bucket lets the requests through.
 */
export async function measureLimits(run: Run, { rates, resources }: Plan): Promise<Table> {
  const server = await startPlatform(run, join(run.folder, "limits"), "simulated", {
    stageSeconds: STAGE_SECONDS,
  });
  const { controlPlane, bodyOf } = await clientOf(server, run.signal);
  const bucket = await startBucket(server.url);
  const integration = { "bench:integrationId": `${bodyOf("", "").source_config.integration_id}` };
  const seen = new Observations();
  const names: string[] = [];
  for (const kind of [OURS, NATIVE] as const)
    for (const options of PARALLEL) {
      const project = await makeProject("agentserver-bench-");
      const stack = benchStack(project, run.signal);
      const alone: Record<string, number> = {};
      const measure = async (verb: "up" | "destroy", rate: number): Promise<void> => {
        const limit = rate === Infinity ? "no limit" : `${rate} a second`;
        const name = [verb, kind, ...options].join(" ").concat(", ", limit);
        run.say(name);
        const counts = bucket.limitTo(rate);
        const { seconds } = await stack[verb](...options);
        const { length } = await Array.fromAsync(controlPlane.deployments.list());
        strictEqual(length, verb === "up" ? resources : 0);
        const least = Math.max((alone[verb] ??= seconds), counts.let / rate);
        seen.add(name, {
          "time : least": seconds / least,
          "429 of all (%)": (counts.refused / (counts.let + counts.refused)) * 100,
          requests: counts.let,
          "time (s)": seconds,
        });
        names.push(name);
      };
      try {
        const settings = settingsFor(bucket.url, server);
        await stack.init(kind, resources, { ...settings, ...integration });
        for (const rate of [Infinity, ...rates]) {
          await measure("up", rate);
          await measure("destroy", rate);
        }
      } finally {
        await project.remove();
      }
    }
  await bucket.close();
  const rows = names.map((name) => seen.row(name, GOALS));
  return { title: `${resources} deployments behind a bucket`, rows };
}

/** Starts a proxy that lets so many requests a second through, a second's worth at once, and answers 429 to the others. */
async function startBucket(target: string) {
  const proxy = await startProxy(target);
  const limitTo = (rate: number) => {
    const counts = { let: 0, refused: 0 };
    let [tokens, filledMs] = [rate, performance.now()];
    proxy.injector = {
      async at(_, moment) {
        if (moment === "after") return undefined;
        const nowMs = performance.now();
        tokens = Math.min(rate, tokens + ((nowMs - filledMs) / 1000) * rate);
        filledMs = nowMs;
        const isLet = tokens >= 1;
        counts[isLet ? "let" : "refused"] += 1;
        if (isLet) tokens -= 1;
        return isLet ? undefined : "429";
      },
    };
    return counts;
  };
  return { url: proxy.url, close: () => proxy.close(), limitTo };
}
