import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { AgentServerChoice } from "../../../local/drivers/driver";
import { type Deployment, NotFound } from "../../../sdk";
import { factsOf } from "../../../sdk/status";
import { shareCache } from "../../../scripts/shared-cache";
import { ask } from "../load";
import { clientOf, startPlatform } from "../servers";
import type { Run } from "../run";

/** An agent that is measured, in a git repository. */
export interface Agent {
  readonly name: string;
  readonly platform: AgentPlatform;
  readonly repoUrl: string;
  /** The goal, from the request that creates the deployment to the first answer: how many times the bare server's start. */
  readonly toFloor: number;
  /** The load during a roll-over: batches of requests, each over a connection of its own. */
  readonly rate: {
    readonly requests: number;
    readonly everyMs: number;
    /** A platform with so many unanswered batches is sent no more: it would do nothing but catch up. */
    readonly mostUnanswered: number;
  };
}

/** Often enough for figures in tenths of seconds, and not so often that it is work for the machine. */
const POLL_MS = 25;

/** A local platform in a process of its own. */
export type AgentPlatform = Awaited<ReturnType<typeof startAgentPlatform>>;

/** Starts one, with the cache of installs that all runs share. */
export async function startAgentPlatform(run: Run, agentServer: AgentServerChoice) {
  const { signal } = run;
  const dataDir = join(run.folder, `platform-${agentServer}`);
  const server = await startPlatform(run, dataDir, "process", { agentServer });
  await shareCache(dataDir);
  const { controlPlane, bodyOf } = await clientOf(server, signal);
  const { deployments, revisions } = controlPlane;

  /** Resolves with the time that the stage `deploy` took. */
  async function untilDeployed({ id, latest_revision_id }: Deployment): Promise<number> {
    let deployMs: number | undefined;
    for (;;) {
      const revision = await revisions.get(id, latest_revision_id ?? "", { signal });
      const { phase, stage } = factsOf(revision.status);
      if (stage === "deploy" || phase === "deployed") deployMs ??= performance.now();
      if (phase === "deployed") return (performance.now() - (deployMs ?? NaN)) / 1000;
      if (phase !== "in progress")
        throw new Error(`a revision became ${revision.status}: ${revision.status_message}`);
      await sleep(POLL_MS, undefined, { signal });
    }
  }

  return {
    server,
    controlPlane,
    untilDeployed,
    /** Resolves when the agent answers through the platform, with the time that its server took to start. */
    async deploy(name: string, repoUrl: string, build_on_push = false) {
      const body = bodyOf(name, repoUrl);
      const source_config = { ...body.source_config, build_on_push };
      const deployment = await deployments.create({ ...body, source_config }, { signal });
      const deploySeconds = await untilDeployed(deployment);
      const target = { url: deployment.url ?? "", apiKey: "none" };
      await ask(target, { method: "GET", path: "/ok" }, signal);
      return { deployment, target, deploySeconds };
    },
    /** Creates a revision; resolves when it serves. */
    async rollOver({ id }: Deployment): Promise<void> {
      const body = { source_revision_config: { repo_ref: "main" } };
      await untilDeployed(await deployments.update(id, body, { signal }));
    },
    /** Deletes a deployment; resolves when it is gone. */
    async remove({ id }: Deployment): Promise<void> {
      await deployments.delete(id, { signal });
      try {
        for (;;) {
          await deployments.get(id, { signal });
          await sleep(POLL_MS, undefined, { signal });
        }
      } catch (error) {
        if (!(error instanceof NotFound)) throw error;
      }
    },
  };
}
