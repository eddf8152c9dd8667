import { strictEqual } from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeProject } from "../../../scripts/project";
import { startDeployments } from "../local/deployments";
import type { Run } from "../run";
import { CLI, clientOf, startPlatform } from "../servers";
import { Observations, type Table } from "../table";
import { startBucket } from "./bucket";
import { NATIVE, OURS, settingsFor } from "./inputs";
import { benchStack } from "./stack";

/** Requests a second of each bucket, and the number of deployments of a stack and of an import. */
interface Plan {
  readonly rates: readonly number[];
  readonly resources: number;
  readonly imported: number;
}

/** Measures pieces of work by name on a control plane, each of which ends right or throws. */
type Measure = (
  target: string,
  begin: (url: string) => Promise<Readonly<Record<string, () => Promise<unknown>>>>,
) => Promise<void>;

const STAGE_SECONDS = 0.2;
const PARALLEL = [[], ["--parallel", "64"]];
const GOALS = { "time : least": 1.3, "429 of all (%)": 10 };

/**
 * Stacks and commands on control planes that answer 429 to more than a rate: each must end right in its first run. The
 * least time is that without a limit, or that in which the bucket lets the requests through.
 */
export async function measureLimits(run: Run, plan: Plan): Promise<Table> {
  const seen = new Observations();
  const names: string[] = [];
  const measure: Measure = async (target, begin) => {
    const bucket = await startBucket(target);
    const works = await begin(bucket.url);
    const alone: Record<string, number> = {};
    for (const rate of [Infinity, ...plan.rates])
      for (const [work, start] of Object.entries(works)) {
        const name = `${work}, ${rate === Infinity ? "no limit" : `${rate} a second`}`;
        run.say(name);
        bucket.limitTo(rate);
        const startMs = performance.now();
        await start();
        const seconds = (performance.now() - startMs) / 1000;
        const { requests, refused } = bucket.counts;
        const least = Math.max((alone[work] ??= seconds), requests / rate);
        seen.add(name, {
          "time : least": seconds / least,
          "429 of all (%)": (refused / (requests + refused)) * 100,
          requests,
          "time (s)": seconds,
        });
        names.push(name);
      }
    bucket.close();
  };
  await measureStacks(run, plan.resources, measure);
  await measureCommands(run, plan.imported, measure);
  const rows = names.map((name) => seen.row(name, GOALS));
  return { title: `${plan.resources} deployments behind a bucket`, rows };
}

/** Stacks through each front end, that are created and destroyed with the default number at once and with 64. */
async function measureStacks(run: Run, resources: number, measure: Measure): Promise<void> {
  const server = await startPlatform(run, join(run.folder, "limits"), "simulated", {
    stageSeconds: STAGE_SECONDS,
  });
  const { controlPlane, bodyOf } = await clientOf(server, run.signal);
  const { integration_id } = bodyOf("", "").source_config;
  const leaves = async (count: number): Promise<void> => {
    const ids = new Set<string>();
    for await (const { id } of controlPlane.deployments.list()) ids.add(id);
    strictEqual(ids.size, count);
  };
  for (const kind of [OURS, NATIVE] as const)
    for (const options of PARALLEL) {
      const project = await makeProject("agentserver-bench-");
      const stack = benchStack(project, run.signal);
      const name = [kind, ...options].join(" ");
      const measured = measure(server.url, async (url) => {
        const more = { "bench:integrationId": `${integration_id}` };
        await stack.init(kind, resources, { ...settingsFor(url, server), ...more });
        return {
          [`up ${name}`]: () => stack.up(...options).then(() => leaves(resources)),
          [`destroy ${name}`]: () => stack.destroy(...options).then(() => leaves(0)),
        };
      });
      await measured.finally(project.remove);
    }
}

async function measureCommands(run: Run, count: number, measure: Measure): Promise<void> {
  const { server } = await startDeployments(run, count);
  const env = { ...process.env, AGENTSERVER_API_KEY: server.apiKey };
  const options = { env, signal: run.signal, maxBuffer: Infinity };
  await measure(server.url, async (url) => {
    const at = ["--base-url", url, "--workspace-id", server.workspaceId, "--json"];
    const command = (...args: readonly string[]) =>
      promisify(execFile)(process.execPath, [CLI, ...args, ...at], options);
    return {
      [`list of ${count}`]: () => command("list", "--limit", `${count}`),
      [`import of ${count}`]: () => command("import", join(run.folder, randomUUID())),
    };
  });
}
