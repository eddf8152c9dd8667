import { join } from "node:path";
import { Admin } from "../../../local/admin";
import { Outcomes } from "../../../local/admin/outcomes";
import { PlatformClock } from "../../../local/platform/clock";
import type { Time } from "../../../shared/clock";
import type { Driver, Remote } from "../../../local/drivers/driver";
import { simulatedDriver } from "../../../local/drivers/simulated";
import { Git } from "../../../local/drivers/process/git/git";
import { gitCommand } from "../../../local/drivers/process/git/command";
import { Keeper } from "../../../local/drivers/process/keeper/keeper";
import { Logs } from "../../../local/logs/logs";
import type { Platform } from "../../../local/platform/platform";
import { Scheduler } from "../../../local/rollout/scheduler";
import { Store } from "../../../local/store";
import { PushWatch } from "../../../local/rollout/watch";
import { until } from "../children";

export const STAGE_SECONDS = 3600;

/** A look at a repository, on the clock of the watch. */
interface Look {
  readonly repoUrl: string;
  readonly branches: readonly string[];
  readonly atSeconds: number;
}

/** A platform without HTTP and servers: git and the watch of pushes are real, builds and deploys are simulated. */
export interface WatchedPlatform {
  readonly platform: Platform;
  /** Every look that was begun. */
  readonly looks: readonly Look[];
  /** Lets the watch's time pass, a second at a time, until a look was begun and ended. */
  untilLooked(): Promise<void>;
  /** Lets so much of the watch's time pass, a second at a time; looks take none of it. */
  pass(seconds: number): Promise<void>;
  close(): Promise<void>;
}

/** How to start one. */
export interface WatchedOptions {
  readonly dataDir: string;
  /** git's. */
  readonly environment: NodeJS.ProcessEnv;
  /** A new revision's commit is known when this has ended. */
  readonly onResolved?: () => Promise<void>;
  /** A look's answer is taken in when this has ended. */
  readonly onAnswered?: () => Promise<void>;
}

/** Starts one on a data folder. */
export function startWatched({
  dataDir,
  environment,
  onResolved = async () => {},
  onAnswered = async () => {},
}: WatchedOptions): WatchedPlatform {
  const store = new Store(join(dataDir, "platform.db"));
  const clock = new PlatformClock(store.platform.get()?.clock_offset_ms);
  const logs = new Logs(store.logLines, clock);
  const keeper = new Keeper(dataDir);
  const git = new Git(gitCommand({ keeper, environment, limitSeconds: 60 }));
  const driver: Driver = {
    ...simulatedDriver({ clock, stageSeconds: STAGE_SECONDS }),
    async create({ revision: { sourceConfig, sourceRevisionConfig: config }, signal }) {
      if (config.repo_commit_sha) return { repoCommitSha: config.repo_commit_sha };
      const [repoUrl, ref] = [sourceConfig.repo_url ?? "", config.repo_ref ?? ""];
      const repoCommitSha = await git.resolve(repoUrl, ref, signal);
      await onResolved();
      return { repoCommitSha };
    },
  };
  const outcomes = new Outcomes(clock, STAGE_SECONDS);
  const scheduler = new Scheduler({ store, clock, logs, driver, outcomes });
  const admin = new Admin({ store, clock, scheduler, outcomes });
  const parts = { store, clock, logs, driver, scheduler, admin };
  const platform = {
    ...parts,
    url: "http://x",
    listen: "",
    hosting: undefined,
    agentAuth: false,
    allowOrigins: [],
  };

  const time = new Hourglass();
  const looks: Look[] = [];
  let looking = 0;
  const remote: Remote = {
    async branches(repoUrl, branches, signal) {
      looks.push({ repoUrl, branches, atSeconds: time.now() / 1000 });
      looking += 1;
      try {
        const commits = await git.branches(repoUrl, branches, signal);
        await onAnswered();
        return commits;
      } finally {
        looking -= 1;
      }
    },
  };
  const watch = new PushWatch({ ...parts, remote, time });
  scheduler.start();
  watch.start();
  const lookedTo = async () => {
    // Whoever woke begins to look, and whoever has looked takes it in, before the next timer.
    await new Promise(setImmediate);
    await until("the end of the looks", () => looking === 0);
  };
  const pass = async (seconds: number) => {
    await lookedTo();
    for (let second = 0; second < seconds; second += 1) {
      time.pass(1000);
      await lookedTo();
    }
  };
  return {
    platform,
    looks,
    async untilLooked() {
      await lookedTo();
      const before = looks.length;
      await until("a look", async () => {
        await pass(1);
        return looks.length > before;
      });
    },
    pass,
    async close() {
      await watch.close();
      await scheduler.close();
      await logs.close();
      await keeper.close();
      store.close();
    },
  };
}

/** Time that passes only when it is told to. */
class Hourglass implements Time {
  #nowMs = 0;
  readonly #sleepers = new Set<{ readonly dueMs: number; readonly wake: () => void }>();

  now(): number {
    return this.#nowMs;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      this.#sleepers.add({ dueMs: this.#nowMs + milliseconds, wake: resolve });
    });
  }

  pass(milliseconds: number): void {
    this.#nowMs += milliseconds;
    for (const sleeper of this.#sleepers) {
      if (sleeper.dueMs > this.#nowMs) continue;
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
  }
}
