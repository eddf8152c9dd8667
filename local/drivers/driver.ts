import type { Secret, SourceConfig, SourceRevisionConfig } from "../../sdk/schema";
import type { Logs } from "../logs/logs";
import type { PlatformClock } from "../platform/clock";

/** The stages of a revision that a driver does the work of; an image has no `build`. */
export const STAGES = ["create", "build", "deploy"] as const;
export type Stage = (typeof STAGES)[number];

/** All that a driver is told of a revision. */
export interface Revision {
  readonly id: string;
  readonly deploymentId: string;
  readonly source: string;
  readonly sourceConfig: SourceConfig;
  readonly sourceRevisionConfig: SourceRevisionConfig;
  /** The deployment's environment: for its server only, never for a build. */
  readonly secrets: readonly Secret[];
}

/** Why a stage is ended from outside: for good, or because the platform closes. */
export type StopReason = "interrupted" | "closed";

/** The work on one stage: where its lines go, and when to give up. */
export interface Work {
  readonly revision: Revision;
  /** Aborted when the revision is interrupted, its deployment deleted or the platform closed; the reason is an `Ending`. */
  readonly signal: AbortSignal;
  /** Adds a line to the log of this stage; `create` and `build` share one. */
  readonly log: (line: string) => void;
}

/** The work on a deploy. */
export interface DeployWork extends Work {
  /**
   * To be called when the revision can serve, before any request reaches it: from then on it is the one that a restart
   * finds active, so that nothing is lost which it has answered. When this throws, it does not take over.
   */
  readonly activate?: (() => void) | undefined;
}

/** The stage can't be done: the revision ends in the stage's failure status, `message` is the reason. */
export class StageFailure extends Error {
  override readonly name = "StageFailure";
}

/** The deployment's server can't answer now: the proxy says 503 with `message`. */
export class ServerUnavailable extends Error {
  override readonly name = "ServerUnavailable";
  readonly retryAfterSeconds: number | undefined;
  constructor(message: string, retryAfterSeconds?: number) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Tells what branches name in repositories elsewhere. */
export interface Remote {
  /** The commits that branches of a repository name now; one that does not exist is left out. */
  branches(
    repoUrl: string,
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>>;
}

/**
 * Turns revisions into running agent servers. Of one deployment, `build` and `deploy` of one revision at a time; the
 * `create` of a later one may run beside them, so that a wrong ref is told at once. After a restart the stage that was
 * under way is started again in a new process: what a later stage needs has to be on disk.
 */
export interface Driver {
  /** Where pushes can be looked for; a driver that touches no git has none. */
  readonly remote?: Remote;
  /** Finds the source; for `git_host` the commit that the ref names, unless a redeploy or a push has named it. */
  create(work: Work): Promise<{ repoCommitSha: string | null }>;
  /** Makes it ready to run. `work.revision.sourceRevisionConfig.repo_commit_sha` holds the commit. */
  build(work: Work): Promise<void>;
  /** Resolves when the revision serves in place of the one before; on failure the one before serves on. */
  deploy(work: DeployWork): Promise<void>;
  /** Told at a restart which revision each deployment runs: its server starts at the first request. */
  restore(active: () => readonly Revision[]): void;
  /** The origin of the running server of a deployment, started when needed, for example `http://127.0.0.1:40001`. */
  origin(deploymentId: string): Promise<string>;
  /** Ends the deployment's servers and removes all that is kept of it on disk. */
  remove(deploymentId: string): Promise<void>;
  /** Ends every server. */
  close(): Promise<void>;
}

/** What a platform creates its driver with. */
export interface DriverOptions {
  /** The platform's data folder, which exists. */
  readonly dataDir: string;
  /** Most agent servers that run at a time. */
  readonly maxServers: number;
  /** How long a simulated stage takes. */
  readonly stageSeconds: number;
  readonly clock: PlatformClock;
  readonly logs: Logs;
}
