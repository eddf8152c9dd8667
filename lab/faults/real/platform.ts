import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { readIdentity } from "../../../local/platform/identity-file";
import { type Running, start, until } from "../../processes";
import { REPOSITORY } from "../../../scripts/project";
import { type Environment, environmentOf } from "../environment";

/** A delete takes so long, which a destroy waits for. */
const STAGE_SECONDS = 1;
/** Away for less than a retry, for longer than a create looks for what it may have created, and for no time. */
const AWAY_MS = [500, 30_000, 0];
const START_LIMIT_SECONDS = 60;

const Workspace = z.object({ workspaceId: z.string(), apiKey: z.string() });

/** An environment whose local platform is a process, and whose time is that of the machine. */
export async function startRealPlatform(): Promise<Environment> {
  const dataDir = await mkdtemp(join(tmpdir(), "agentserver-platform-"));
  const processes = [await startProcess(dataDir)];
  // A restart keeps address and keys.
  const identity = readIdentity(dataDir);
  if (identity === undefined) throw new Error(`${dataDir} has no platform.json`);
  const current = (): Running | undefined => processes.at(-1);
  return environmentOf(dataDir, {
    // Its roll-outs do not fail, and nobody pushes.
    platform: {
      url: identity.url,
      admin: { push: () => 0, addOutcome: () => undefined, clearOutcomes: () => undefined },
    },
    now: Date.now,
    advance: async () => undefined,
    process: {
      text: () => processes.map(({ text }) => text()).join(""),
      kill: () => current()?.kill(),
      async restart() {
        await current()?.finished;
        await sleep(AWAY_MS[processes.length % AWAY_MS.length]);
        processes.push(await startProcess(dataDir));
      },
    },
    async addWorkspace(name) {
      const answer = await fetch(`${identity.url}/_local/workspaces`, {
        method: "POST",
        headers: { "x-local-key": identity.adminKey, "content-type": "application/json" },
        body: JSON.stringify({ name }),
      });
      return Workspace.parse(await answer.json());
    },
    async close() {
      current()?.kill();
      await current()?.finished;
    },
  });
}

/** Resolves when it accepts requests. */
async function startProcess(dataDir: string): Promise<Running> {
  const settings = ["--driver", "simulated", "--stage-seconds", String(STAGE_SECONDS)];
  const words = ["local", "--port", "0", "--data-dir", dataDir, ...settings];
  const main = join(REPOSITORY, "dist/cli/main.js");
  const running = start(process.execPath, [main, ...words], { cwd: dataDir, env: process.env });
  let hasEnded = false;
  void running.finished.then(() => (hasEnded = true));
  await until(
    "the local platform",
    () => hasEnded || running.text().includes("listens at"),
    START_LIMIT_SECONDS,
  );
  if (hasEnded) throw new Error(running.text());
  return running;
}
