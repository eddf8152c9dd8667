import type { SourceRevisionConfig } from "../../sdk/schema";
import type { DeploymentStatus, RevisionStatus } from "../../sdk/status";
import type { Stage } from "../drivers/driver";

/** What the machine knows of a revision. */
export interface RevisionState {
  readonly status: RevisionStatus;
  readonly source: string;
  readonly source_revision_config: SourceRevisionConfig;
  readonly updated_at: string;
}

/** What can happen to a revision. */
export type RevisionEvent =
  /** The work of its stage is done; `create` tells the commit. */
  | { readonly type: "done"; readonly repoCommitSha?: string | null }
  | { readonly type: "failed" }
  /** It waited, and it is its turn. */
  | { readonly type: "proceed" }
  | { readonly type: "interrupted" }
  /** A newer revision makes it needless before it ran. */
  | { readonly type: "superseded" }
  /** The platform started again. */
  | { readonly type: "restarted" };

/** The statuses in which a revision is not at its end (public service, "Statuses"). */
export const IN_PROGRESS = [
  "CREATING",
  "QUEUED",
  "AWAITING_BUILD",
  "BUILDING",
  "AWAITING_DEPLOY",
  "DEPLOYING",
] as const satisfies RevisionStatus[];

const STAGES: Partial<Record<RevisionStatus, Stage>> = {
  CREATING: "create",
  BUILDING: "build",
  DEPLOYING: "deploy",
};

/** The stage whose work is done in this status, if any. */
export function stageOf(status: RevisionStatus): Stage | undefined {
  return STAGES[status];
}

/** Whether nothing will happen to the revision any more. */
export function hasEnded(status: RevisionStatus): boolean {
  return !IN_PROGRESS.some((open) => open === status);
}

type Moves = Partial<Record<RevisionEvent["type"], RevisionStatus>>;

const MOVES: Partial<Record<RevisionStatus, Moves>> = {
  CREATING: { done: "QUEUED", failed: "CREATE_FAILED", superseded: "SKIPPED" },
  QUEUED: { proceed: "AWAITING_BUILD", superseded: "SKIPPED" },
  AWAITING_BUILD: { proceed: "BUILDING" },
  BUILDING: { done: "AWAITING_DEPLOY", failed: "BUILD_FAILED", restarted: "AWAITING_BUILD" },
  AWAITING_DEPLOY: { proceed: "DEPLOYING" },
  DEPLOYING: { done: "DEPLOYED", failed: "DEPLOY_FAILED", restarted: "AWAITING_DEPLOY" },
};

/** The revision after an event at a time (ISO 8601); undefined when the event does not concern it any more. */
export function nextRevision(
  state: RevisionState,
  event: RevisionEvent,
  at: string,
): RevisionState | undefined {
  const status =
    event.type === "interrupted" && !hasEnded(state.status)
      ? "INTERRUPTED"
      : MOVES[state.status]?.[event.type];
  if (!status) return undefined;
  const found = event.type === "done" ? event.repoCommitSha : undefined;
  return {
    source: state.source,
    // An image is there already: nothing is built (public service, "Statuses").
    status: status === "AWAITING_BUILD" && state.source !== "git_host" ? "AWAITING_DEPLOY" : status,
    source_revision_config:
      found === undefined
        ? state.source_revision_config
        : { ...state.source_revision_config, repo_commit_sha: found },
    updated_at: at,
  };
}

/** What can happen to a deployment. */
export type DeploymentEvent = "prepared" | "deleted";

/** The deployment's status after an event; undefined when the event changes nothing. */
export function nextDeployment(
  status: DeploymentStatus,
  event: DeploymentEvent,
): DeploymentStatus | undefined {
  if (event === "deleted") return status === "AWAITING_DELETE" ? undefined : "AWAITING_DELETE";
  return status === "AWAITING_DATABASE" ? "READY" : undefined;
}
