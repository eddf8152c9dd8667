import type { Driver, Remote } from "../../../local/drivers/driver";
import { Git } from "../../../local/drivers/process/git/git";
import { Keeper } from "../../../local/drivers/process/keeper/keeper";
import { PushPoller } from "../../../local/rollout/push-poller";
import { standingClock } from "../../support/clock";
import { until } from "../children";
import { closeParts, makeParts } from "./parts";

const STAGE_SECONDS = 3600;

export type PolledPlatform = ReturnType<typeof startPolled>;

interface PolledPlatformOptions {
  readonly dataDir: string;
  readonly environment: NodeJS.ProcessEnv;
  /** A new revision's commit is known when this has ended. */
  onResolved(): Promise<void>;
  /** A poll's response is handled when this has ended. */
  onAnswered(): Promise<void>;
}

/** Starts a platform without HTTP and servers: git and the poller are real, builds and deploys are simulated. */
export function startPolled(options: PolledPlatformOptions) {
  const { dataDir, environment } = options;
  const keeper = new Keeper(dataDir);
  const git = new Git({ keeper, environment, limitSeconds: 60 });
  const create: Driver["create"] = async ({ revision, signal }) => {
    const { sourceConfig, sourceRevisionConfig: config } = revision;
    if (config.repo_commit_sha) return { repoCommitSha: config.repo_commit_sha };
    const [repoUrl, ref] = [sourceConfig.repo_url ?? "", config.repo_ref ?? ""];
    const repoCommitSha = await git.resolve(repoUrl, ref, signal);
    await options.onResolved();
    return { repoCommitSha };
  };
  const platform = makeParts(dataDir, { driven: { create }, stageSeconds: STAGE_SECONDS });
  const { admin, scheduler } = platform;
  const time = standingClock();
  /** Every poll that was started, with its time on the clock of the poller. */
  const polls: { readonly branches: readonly string[]; readonly atSeconds: number }[] = [];
  let polling = 0;
  const remote: Remote = {
    async branches(repoUrl, branches, signal) {
      polls.push({ branches, atSeconds: time.now() / 1000 });
      polling += 1;
      try {
        const commits = await git.branches(repoUrl, branches, signal);
        await options.onAnswered();
        return commits;
      } finally {
        polling -= 1;
      }
    },
  };
  const poller = new PushPoller({ ...platform, remote, time });
  scheduler.start();
  poller.start();
  const settled = async () => {
    // Polls that are due start, and responses are handled, before the next timer.
    await new Promise(setImmediate);
    await until("the end of the polls", () => polling === 0);
  };
  /** Lets so much of the poller's time pass, a second at a time; polls take none of it. */
  const pass = async (seconds: number) => {
    await settled();
    for (let second = 0; second < seconds; second += 1) {
      await time.advance(1000);
      await settled();
    }
  };
  return {
    platform,
    admin,
    polls,
    /** Lets the poller's time pass, a second at a time, until a poll has started and ended. */
    async untilPolled() {
      await settled();
      const before = polls.length;
      await until("a poll", async () => {
        await pass(1);
        return polls.length > before;
      });
    },
    pass,
    async close() {
      await poller.close();
      await closeParts(platform);
      await keeper.close();
    },
  };
}
