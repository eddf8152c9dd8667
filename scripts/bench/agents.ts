import { AgentPlatform } from "./agents/platform";
import { measureRollOvers } from "./agents/under-load";
import { measureStarts } from "./agents/starts";
import { prepare, SUBJECTS, type Subject } from "./agents/subjects";
import type { Bench, Stage } from "./bench";
import type { Table } from "./figure";
import { Servers } from "./servers";

/** How much is measured. */
export interface AgentsPlan {
  readonly subjects: readonly Subject[];
  /** How often each of them is deployed. */
  readonly starts: number;
  /** How often each of them rolls over. */
  readonly rollOvers: number;
}

const PLAN: AgentsPlan = { subjects: SUBJECTS, starts: 7, rollOvers: 10 };

/** Agent servers that the driver `process` starts. */
export const agents: Bench = {
  about:
    "deployments of the built-in and the real agent servers: start, memory, roll-overs under load",
  limitSeconds: 3600,
  run: (stage) => measureAgents(stage, PLAN),
};

/** Measures agent servers on one platform: deployments of each in turn, then the roll-overs of one of each. */
export async function measureAgents({ signal, say }: Stage, plan: AgentsPlan): Promise<Table[]> {
  const servers = await Servers.open(signal);
  try {
    const platform = await AgentPlatform.start(servers, signal);
    say("deploying each agent once, which installs what no run before has installed");
    const prepared = await prepare(platform, { ...plan, folder: servers.folder });
    say(`deploying each agent ${plan.starts} times`);
    const starts = await measureStarts(platform, prepared, plan.starts);
    const rollOvers = await measureRollOvers(platform, prepared, { times: plan.rollOvers, say });
    return [starts, rollOvers];
  } finally {
    await servers.close();
  }
}
