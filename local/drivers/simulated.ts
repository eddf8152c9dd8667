import { createHash } from "node:crypto";
import type { Time } from "../../shared/clock";
import { ServerUnavailable, type Driver, type Work } from "./driver";

/** Runs nothing: each stage takes `stageSeconds` of the clock, and the commit is the SHA-1 of URL and ref. */
export function simulatedDriver(options: { clock: Time; stageSeconds: number }): Driver {
  const closing = new AbortController();
  const sleep = (signal: AbortSignal) => options.clock.sleep(options.stageSeconds * 1000, signal);
  const stage = async (work: Work) => {
    work.log(`simulated: nothing runs, this stage takes ${options.stageSeconds} s`);
    await sleep(work.signal);
  };
  return {
    async create(work) {
      await stage(work);
      const { source, sourceConfig, sourceRevisionConfig } = work.revision;
      const { repo_ref: ref, repo_commit_sha: commit } = sourceRevisionConfig;
      const text = `${sourceConfig.repo_url}${ref}`;
      const found = commit ?? createHash("sha1").update(text).digest("hex");
      return { repoCommitSha: source === "git_host" ? found : null };
    },
    build: stage,
    deploy: stage,
    restore: () => undefined,
    origin: async () => {
      throw new ServerUnavailable(
        "the simulated driver runs no agent servers; start the platform with --driver process",
        { status: 501 },
      );
    },
    servers: async () => new Map(),
    remove: () => sleep(closing.signal),
    async close() {
      closing.abort();
    },
  };
}
