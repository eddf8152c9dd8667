import type { Bench, Stage } from "./bench";
import type { Table } from "./figure";
import { memoryTable } from "./platform/memory";
import { Populated } from "./platform/populated";
import { measureRequests } from "./platform/requests";
import { measureStarts } from "./platform/starts";
import { startSubjects } from "./platform/subjects";
import type { Rounds } from "./rounds";
import { Servers } from "./servers";

/** How much is measured. */
export interface PlatformPlan {
  /** How many deployments the two platforms have that are compared. */
  readonly small: number;
  readonly large: number;
  /** How often each server is started. */
  readonly starts: number;
  readonly rounds: Omit<Rounds, "untilMs">;
  /** No further round begins after this time. */
  readonly seconds: number;
}

const PLAN: PlatformPlan = {
  small: 10,
  large: 10_000,
  starts: 7,
  rounds: {
    most: 15,
    fewest: 3,
    paces: [
      { clients: 1, requests: 60 },
      { clients: 8, requests: 160 },
    ],
  },
  seconds: 85,
};

/** The local platform with the simulated driver. */
export const platform: Bench = {
  about: "start-up, memory and requests of the local platform, beside a bare Hono server",
  limitSeconds: 1800,
  run: (stage) => measurePlatform(stage, PLAN),
};

/** Measures the platform: starts, then requests to processes that have just been started, then what these hold. */
export async function measurePlatform(
  { signal, say }: Stage,
  plan: PlatformPlan,
): Promise<Table[]> {
  const untilMs = performance.now() + plan.seconds * 1000;
  const servers = await Servers.open(signal);
  try {
    const small = new Populated(servers, plan.small);
    const large = new Populated(servers, plan.large);
    for (const populated of [small, large]) {
      say(`creating ${populated.name}`);
      await populated.fill(signal);
    }
    say(`starting each server ${plan.starts} times`);
    const starts = await measureStarts(servers, { large, times: plan.starts, signal });
    say(`sending requests, at most ${plan.rounds.most} rounds`);
    const subjects = await startSubjects(servers, { small, large, signal });
    const requests = await measureRequests(subjects, { ...plan.rounds, untilMs }, signal);
    return [starts, ...requests, await memoryTable(subjects)];
  } finally {
    await servers.close();
  }
}
