import { join } from "node:path";
import { messageOf } from "../../shared/errors";
import { GitRepository } from "../../scripts/git";
import { REPOSITORY } from "../../scripts/project";
import type { AgentServerChoice } from "../../local/drivers/driver";
import { type Agent, type AgentPlatform, startAgentPlatform } from "./agents/platform";
import { measureRollOvers } from "./agents/roll-overs";
import { measureStarts } from "./agents/starts";
import type { Bench, Run } from "./run";
import type { Table } from "./table";

const FAST = { requests: 10, everyMs: 50, mostUnanswered: 10 };
/** Requests to a real server may be held for 30 s. */
const SLOW = { requests: 2, everyMs: 100, mostUnanswered: 300 };
const FIXTURES = "tests/fixtures/agents";

/** The same small agent for each of the three servers. */
export const AGENTS = [
  {
    name: "built-in",
    agentServer: "built-in",
    files: "examples/quickstart/agent",
    toFloor: 6,
    rate: FAST,
  },
  {
    name: "JavaScript",
    agentServer: "real",
    files: `${FIXTURES}/javascript`,
    toFloor: 9,
    rate: SLOW,
  },
  { name: "Python", agentServer: "real", files: `${FIXTURES}/python`, toFloor: 40, rate: SLOW },
] as const;

/** The agents to measure, and the number of deploys and roll-overs of each. */
const PLAN: Plan = { agents: AGENTS.length, starts: 7, rollOvers: 10 };
type Plan = Readonly<Record<"agents" | "starts" | "rollOvers", number>>;

/** Agent servers that the driver `process` starts. */
export const agents: Bench = {
  about: "deployments of the three agent servers: start, memory, roll-overs under load",
  measure: (run) => measureAgents(run, PLAN),
};

/** Measures agent servers: deployments of each in turn, then the roll-overs of one of each. */
export async function measureAgents(run: Run, plan: Plan): Promise<Table[]> {
  const measured = AGENTS.slice(0, plan.agents);
  const started = new Map<AgentServerChoice, AgentPlatform>();
  for (const kind of new Set(measured.map(({ agentServer }) => agentServer)))
    started.set(kind, await startAgentPlatform(run, kind));
  run.say("deploying each agent once, which installs what no run before has installed");
  const installed: Agent[] = [];
  for (const { files, agentServer, ...agent } of measured) {
    const platform = started.get(agentServer);
    if (platform === undefined) continue;
    const folder = join(run.folder, agent.name);
    const { url: repoUrl } = await GitRepository.from(join(REPOSITORY, files), folder);
    try {
      await platform.remove((await platform.deploy("first", repoUrl)).deployment);
      installed.push({ ...agent, platform, repoUrl });
    } catch (error) {
      run.signal.throwIfAborted();
      process.stderr.write(`\nNOT MEASURED: ${agent.name}: ${messageOf(error)}\n\n`);
    }
  }
  run.say(`deploying each agent ${plan.starts} times`);
  const starts = await measureStarts(run, installed, plan.starts);
  return [starts, await measureRollOvers(run, installed, plan.rollOvers)];
}
