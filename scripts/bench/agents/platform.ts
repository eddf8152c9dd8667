import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { ControlPlane, NotFound, type Deployment } from "../../../sdk";
import { factsOf, hasFailed, logOf } from "../../../sdk/status";
import { shareCache } from "../../shared-cache";
import { startPlatform } from "../platform/commands";
import type { Server, Servers } from "../servers";

/** A revision that did not reach `DEPLOYED`; the message ends with the last lines of its log. */
export class RolloutFailure extends Error {
  override readonly name = "RolloutFailure";
  readonly status: string;

  constructor(status: string, lines: readonly string[]) {
    super([`a revision became ${status}`, ...lines].join("\n"));
    this.status = status;
  }
}

type Watch = (status: string) => Promise<void>;

const Identity = z.object({ url: z.string(), apiKey: z.string(), workspaceId: z.string() });
/** Often enough for figures in tenths of seconds, and not so often that it is work for the machine. */
const POLL_MS = 25;
const LAST_LINES = 20;

/** A local platform in a process of its own, with the cache of installs that all runs share. */
export class AgentPlatform {
  readonly pid: number;
  /** Ends every request. */
  readonly signal: AbortSignal;
  readonly #controlPlane: ControlPlane;

  private constructor({ pid }: Server, controlPlane: ControlPlane, signal: AbortSignal) {
    this.pid = pid;
    this.signal = signal;
    this.#controlPlane = controlPlane;
  }

  static async start(servers: Servers, signal: AbortSignal): Promise<AgentPlatform> {
    const dataDir = join(servers.folder, "platform");
    const server = await startPlatform(servers, dataDir, "process");
    await shareCache(dataDir);
    const text = await readFile(join(dataDir, "platform.json"), "utf8");
    const { url: baseUrl, apiKey, workspaceId } = Identity.parse(JSON.parse(text));
    const controlPlane = new ControlPlane({ baseUrl, apiKey, workspaceId });
    return new AgentPlatform(server, controlPlane, signal);
  }

  /**
   * Resolves when the agent answers through the platform; throws a `RolloutFailure`. `watch` is given each status that is
   * seen on the way.
   */
  async deploy(name: string, repoUrl: string, watch?: Watch): Promise<Deployment> {
    const [integration] = await this.#controlPlane.integrations.list(this);
    const deployment = await this.#controlPlane.deployments.create(
      {
        name,
        source: "git_host",
        source_config: {
          integration_id: integration?.id ?? "",
          repo_url: repoUrl,
          deployment_type: "dev",
        },
        source_revision_config: { repo_ref: "main", graph_config_path: "langgraph.json" },
        secrets: [],
      },
      this,
    );
    await this.#untilDeployed(deployment, watch);
    const answer = await fetch(`${deployment.url}/ok`, this);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`agent ${name} answers /ok with ${answer.status}: ${text}`);
    return deployment;
  }

  /** Makes a new revision; resolves when it serves, throws a `RolloutFailure`. */
  async rollOver({ id }: Deployment): Promise<void> {
    const body = { source_revision_config: { repo_ref: "main" } };
    await this.#untilDeployed(await this.#controlPlane.deployments.update(id, body, this));
  }

  /** How long the stage `deploy` of its first revision took, by its log. */
  async deploySeconds(deployment: Deployment): Promise<number> {
    const times: number[] = [];
    for await (const { timestamp } of this.#log(deployment, "deploy"))
      times.push(Date.parse(String(timestamp)));
    return ((times.at(-1) ?? NaN) - (times[0] ?? NaN)) / 1000;
  }

  /** Deletes a deployment; resolves when it is gone. */
  async remove({ id }: Deployment): Promise<void> {
    const { deployments } = this.#controlPlane;
    await deployments.delete(id, this);
    try {
      for (;;) {
        await deployments.get(id, this);
        await sleep(POLL_MS, undefined, this);
      }
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
    }
  }

  async #untilDeployed(deployment: Deployment, watch?: Watch): Promise<void> {
    const { id, latest_revision_id: revisionId } = deployment;
    for (;;) {
      const { status } = await this.#controlPlane.revisions.get(id, revisionId ?? "", this);
      await watch?.(status);
      const { phase, stage } = factsOf(status);
      if (phase === "deployed") return;
      if (hasFailed(status) || phase === "superseded") {
        const lines: string[] = [];
        for await (const { message } of this.#log(deployment, logOf(stage))) lines.push(message);
        throw new RolloutFailure(status, lines.slice(-LAST_LINES));
      }
      await sleep(POLL_MS, undefined, this);
    }
  }

  #log({ id, latest_revision_id: revisionId }: Deployment, type: "build" | "deploy") {
    return this.#controlPlane.revisions.logLines(id, revisionId ?? "", type, this);
  }
}
