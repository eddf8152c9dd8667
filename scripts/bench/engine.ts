import type { Bench, Stage } from "./bench";
import { measureCreates, type CreatesPlan } from "./engine/creates";
import { measureLoading } from "./engine/loading";
import { measureRollouts, type RolloutsPlan } from "./engine/rollouts";
import { measureStarts } from "./engine/starts";
import type { Table } from "./figure";
import { Servers } from "./servers";

/** How much is measured. */
export interface EnginePlan {
  /** How often the package is loaded, and each provider process started. */
  readonly loads: number;
  readonly rollouts: RolloutsPlan;
  readonly creates: CreatesPlan;
}

const PLAN: EnginePlan = {
  loads: 7,
  rollouts: {
    lengths: [
      { seconds: 10, delaySeconds: 1.5 },
      { seconds: 60, delaySeconds: 3 },
      { seconds: 15 * 60, delaySeconds: 5 },
    ],
    repetitions: 3,
    rollouts: 25,
  },
  creates: { sizes: [100, 500], repetitions: 3 },
};

/** Our provider on the real Pulumi engine. */
export const engine: Bench = {
  about: "stacks of 100 and 500 deployments on both providers and by hand, starts, roll-outs",
  limitSeconds: 3600,
  run: (stage) => measureEngine(stage, PLAN),
};

/** Measures the provider: what it loads, how it waits, and whole stacks. */
export async function measureEngine({ signal, say }: Stage, plan: EnginePlan): Promise<Table[]> {
  const servers = await Servers.open(signal);
  try {
    say(`loading the package ${plan.loads} times`);
    const loading = await measureLoading(servers, { times: plan.loads, signal });
    say(`starting the provider processes ${plan.loads} times`);
    const starts = await measureStarts(plan.loads, signal);
    say("waiting for roll-outs on a simulated clock");
    const rollouts = await measureRollouts(plan.rollouts, signal);
    const creates = await measureCreates(servers, plan.creates, { signal, say });
    return [...creates, starts, loading, ...rollouts];
  } finally {
    await servers.close();
  }
}
