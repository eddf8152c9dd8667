import type { SourceRevisionConfig } from "../../sdk/schema";
import {
  type DeploymentStatus,
  factsOf,
  isBeingDeleted,
  isIn,
  type RevisionStatus,
  type Stage,
  type StatusIn,
  statusesIn,
} from "../../sdk/status";

/** The facts that a transition depends on. */
export interface RevisionState {
  readonly status: RevisionStatus;
  readonly source: string;
  readonly source_revision_config: SourceRevisionConfig;
  readonly updated_at: string;
}

/** An event of a revision. */
export type RevisionEvent =
  /** Its stage has succeeded; `create` reports the commit. */
  | { readonly type: "done"; readonly repoCommitSha?: string | null }
  | { readonly type: "failed" }
  /** Its turn has come. */
  | { readonly type: "proceed" }
  | { readonly type: "interrupted" }
  /** A newer revision replaces it before it ran. */
  | { readonly type: "superseded" }
  /** The platform has restarted. */
  | { readonly type: "restarted" };

/** The statuses in which a revision has not ended (public service, "Statuses"). */
export const IN_PROGRESS = statusesIn("in progress");

/** The stage that runs in this status, if any. */
export function stageOf(status: RevisionStatus): Stage | null {
  return hasEnded(status) ? null : factsOf(status).stage;
}

/** Whether no event can move the revision. */
export function hasEnded(status: RevisionStatus): boolean {
  return !isIn("in progress", status);
}

type Transitions = Partial<Record<Exclude<RevisionEvent["type"], "interrupted">, RevisionStatus>>;

const TRANSITIONS: Readonly<Record<StatusIn<"in progress">, Transitions>> = {
  CREATING: { done: "QUEUED", failed: "CREATE_FAILED", superseded: "SKIPPED" },
  QUEUED: { proceed: "AWAITING_BUILD", superseded: "SKIPPED" },
  AWAITING_BUILD: { proceed: "BUILDING" },
  BUILDING: { done: "AWAITING_DEPLOY", failed: "BUILD_FAILED", restarted: "AWAITING_BUILD" },
  AWAITING_DEPLOY: { proceed: "DEPLOYING" },
  DEPLOYING: { done: "DEPLOYED", failed: "DEPLOY_FAILED", restarted: "AWAITING_DEPLOY" },
};

/** The statuses in which a newer revision can supersede this one. */
export const SUPERSEDABLE = IN_PROGRESS.filter(
  (status) => TRANSITIONS[status].superseded !== undefined,
);

function nextStatus(status: RevisionStatus, event: RevisionEvent): RevisionStatus | undefined {
  if (!isIn("in progress", status)) return undefined;
  return event.type === "interrupted" ? "INTERRUPTED" : TRANSITIONS[status][event.type];
}

/** The revision after an event at a time (ISO 8601); undefined if the event does not change it. */
export function nextRevision(
  state: RevisionState,
  event: RevisionEvent,
  at: string,
): RevisionState | undefined {
  const status = nextStatus(state.status, event);
  if (!status) return undefined;
  const found = event.type === "done" ? event.repoCommitSha : undefined;
  return {
    source: state.source,
    // An image needs no build (public service, "Statuses").
    status: status === "AWAITING_BUILD" && state.source !== "git_host" ? "AWAITING_DEPLOY" : status,
    source_revision_config:
      found === undefined
        ? state.source_revision_config
        : { ...state.source_revision_config, repo_commit_sha: found },
    updated_at: at,
  };
}

/** An event of a deployment. */
export type DeploymentEvent = "prepared" | "deleted";

/** The deployment's status after an event; undefined if the event does not change it. */
export function nextDeployment(
  status: DeploymentStatus,
  event: DeploymentEvent,
): DeploymentStatus | undefined {
  if (event === "deleted") return isBeingDeleted(status) ? undefined : "AWAITING_DELETE";
  return status === "AWAITING_DATABASE" ? "READY" : undefined;
}
