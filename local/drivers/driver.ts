import type { Secret, SourceConfig, SourceRevisionConfig } from "../../sdk/schema";
import type { LogLevel, Logs } from "../logs/logs";
import type { PlatformClock } from "../platform/clock";

/** A revision as drivers see it. */
export interface Revision {
  readonly id: string;
  readonly deploymentId: string;
  /** The URL at which its server is reached. */
  readonly url: string;
  readonly source: string;
  readonly sourceConfig: SourceConfig;
  readonly sourceRevisionConfig: SourceRevisionConfig;
  /** The environment variables of the deployment's server; a build never gets them. */
  readonly secrets: readonly Secret[];
}

/** Why a stage is stopped: for good, or because the platform closes. */
export type StopReason = "interrupted" | "closed";

/** One stage of a revision. */
export interface Work {
  readonly revision: Revision;
  /**
   * Aborted when the revision is interrupted, its deployment deleted or the platform closed; the reason is a
   * `StopReason`.
   */
  readonly signal: AbortSignal;
  /** Adds a line to the log of this stage; `create` and `build` share one. */
  readonly log: (line: string, level?: LogLevel) => void;
}

/** The work on a deploy. */
export interface DeployWork extends Work {
  /**
   * Marks the revision as active. The driver calls it when the revision can serve, before any request reaches it:
   * after a restart the platform then runs the revision that has answered requests. If it throws, the deploy fails.
   */
  readonly activate?: (() => void) | undefined;
}

/** The stage failed: the revision gets the stage's failure status, with `message` as the reason. */
export class StageFailure extends Error {
  override readonly name = "StageFailure";
}

/** The deployment's server can't answer: the proxy answers 503 with `message`, or 501 where it never will. */
export class ServerUnavailable extends Error {
  override readonly name = "ServerUnavailable";
  readonly retryAfterSeconds: number | undefined;
  readonly status: 501 | 503;
  constructor(
    message: string,
    options: Partial<Pick<ServerUnavailable, "retryAfterSeconds" | "status">> = {},
  ) {
    super(message);
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.status = options.status ?? 503;
  }
}

/** The agent server of a deployment, as it is now. */
export interface ServerStatus {
  /** `stopped`: the next request starts it. `crashed`: it pauses before the next start, or is not started again. */
  readonly state: "running" | "starting" | "stopped" | "crashed";
  readonly reason?: string | undefined;
  /** Number of crashes of the current revision's server. */
  readonly crashes: number;
  /** Of all its processes; undefined while it does not run, and where the system does not say. */
  readonly memoryBytes?: number | undefined;
}

/** Reads branches of remote repositories. */
export interface Remote {
  /** The commits that branches of a repository point to now; a branch that does not exist is left out. */
  branches(
    repoUrl: string,
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>>;
}

/**
 * Turns revisions into running agent servers. Per deployment, one revision at a time is built and deployed; `create`
 * of a later one may run meanwhile, so that a wrong ref is reported at once. A restart of the platform repeats the
 * stage that was in progress in a new process: a stage must leave on disk what later stages need.
 */
export interface Driver {
  /** The repository and the ref to poll for pushes; undefined for a driver that does not use git. */
  readonly remote?: Remote;
  /** Resolves the source: for `git_host` the ref to a commit, unless a redeploy or a push has set the commit. */
  create(work: Work): Promise<{ repoCommitSha: string | null }>;
  /** Prepares the commit `work.revision.sourceRevisionConfig.repo_commit_sha` for its server. */
  build(work: Work): Promise<void>;
  /** Resolves when the revision serves in place of the previous one; on failure the previous one keeps serving. */
  deploy(work: DeployWork): Promise<void>;
  /** Called at a restart with the active revision of each deployment, whose server starts at the first request. */
  restore(active: () => readonly Revision[]): void;
  /** The origin of a deployment's server, for example `http://127.0.0.1:40001`; starts it when it is stopped. */
  origin(deploymentId: string): Promise<string>;
  /** The servers of these deployments; one that has none, or a driver that runs none, is left out. */
  servers(deploymentIds: readonly string[]): Promise<ReadonlyMap<string, ServerStatus>>;
  /** Ends the deployment's servers and removes its files. */
  remove(deploymentId: string): Promise<void>;
  /** Ends every server. */
  close(): Promise<void>;
}

/** What serves repositories: the agent server that runs their graphs, or the built-in one, which runs none. */
export const AGENT_SERVERS = ["real", "built-in"] as const;
export type AgentServerChoice = (typeof AGENT_SERVERS)[number];

export interface DriverOptions {
  /** The platform's data folder, which exists. */
  readonly dataDir: string;
  /** Most agent servers that run at a time. */
  readonly maxServers: number;
  readonly agentServer: AgentServerChoice;
  /** The time that a simulated stage takes. */
  readonly stageSeconds: number;
  readonly clock: PlatformClock;
  readonly logs: Logs;
}
