import type { LogType } from "./schema";

/** The stages that a revision goes through, in order; an image has no `build`. */
export const STAGES = ["create", "build", "deploy"] as const;
export type Stage = (typeof STAGES)[number];

/** The progress of a revision; `unknown` means nothing, so a wait goes on. */
type Phase = StatusFacts["phase"];

/** The meaning of a revision status. */
type StatusFacts =
  | {
      readonly phase: "in progress";
      /** The stage that runs in this status; null while the revision waits for one. */
      readonly stage: Stage | null;
      /** Whether the revision must still reach `DEPLOYING` before it can be deployed. */
      readonly isDistant: boolean;
    }
  | {
      readonly phase: "failed";
      /** The stage that failed; null when the status does not say. */
      readonly stage: Stage | null;
    }
  | {
      readonly phase: "deployed" | "superseded" | "interrupted" | "unknown";
      readonly stage: null;
    };

/** Every revision status of the public service, in the order that a revision goes through them, failures last. */
const FACTS = {
  CREATING: { phase: "in progress", stage: "create", isDistant: true },
  QUEUED: { phase: "in progress", stage: null, isDistant: true },
  AWAITING_BUILD: { phase: "in progress", stage: null, isDistant: true },
  BUILDING: { phase: "in progress", stage: "build", isDistant: true },
  AWAITING_DEPLOY: { phase: "in progress", stage: null, isDistant: true },
  DEPLOYING: { phase: "in progress", stage: "deploy", isDistant: false },
  DEPLOYED: { phase: "deployed", stage: null },
  CREATE_FAILED: { phase: "failed", stage: "create" },
  BUILD_FAILED: { phase: "failed", stage: "build" },
  DEPLOY_FAILED: { phase: "failed", stage: "deploy" },
  SKIPPED: { phase: "superseded", stage: null },
  INTERRUPTED: { phase: "interrupted", stage: null },
  UNKNOWN: { phase: "unknown", stage: null },
} as const satisfies Record<string, StatusFacts>;

export type RevisionStatus = keyof typeof FACTS;

/** The statuses of one phase. */
export type StatusIn<Wanted extends Phase> = RevisionStatus &
  {
    [Status in RevisionStatus]: (typeof FACTS)[Status]["phase"] extends Wanted ? Status : never;
  }[RevisionStatus];

/** All of them, in the order of the table. */
export const REVISION_STATUSES: readonly RevisionStatus[] =
  Object.keys(FACTS).filter(isRevisionStatus);

function isRevisionStatus(status: string): status is RevisionStatus {
  return Object.hasOwn(FACTS, status);
}

/**
 * The meaning of a revision status. One that this release does not know has failed if its name contains `FAILED` (contract,
 * "States and transitions"); any other is `unknown`.
 */
export function factsOf(status: string): StatusFacts {
  if (isRevisionStatus(status)) return FACTS[status];
  return { phase: status.includes("FAILED") ? "failed" : "unknown", stage: null };
}

/** Whether a status is in a phase. */
export function isIn<Wanted extends Phase>(
  phase: Wanted,
  status: RevisionStatus,
): status is StatusIn<Wanted> {
  return FACTS[status].phase === phase;
}

/** The statuses of a phase, in the order of the table. */
export function statusesIn<Wanted extends Phase>(phase: Wanted): StatusIn<Wanted>[] {
  return REVISION_STATUSES.filter((status) => isIn(phase, status));
}

/** Whether the service has deployed a revision of this status. */
export function isDeployed(status: string): boolean {
  return factsOf(status).phase === "deployed";
}

/** Whether a revision of this status has ended without running. */
export function hasFailed(status: string): boolean {
  const { phase } = factsOf(status);
  return phase === "failed" || phase === "interrupted";
}

/** The log that a stage writes: `create` and `build` share one. */
export function logOf(stage: Stage | null): LogType {
  return stage === "deploy" ? "deploy" : "build";
}

/** The meaning of a deployment status. */
interface DeploymentStatusFacts {
  /** Whether the deployment is being deleted: it takes no change, and its name is free only when it is gone. */
  readonly isBeingDeleted: boolean;
}

/**
 * Every deployment status of the public service: the contract's ("States and transitions"), and `AWAITING_FINAL_DELETE`,
 * which newer versions have, with `DELETED`, as others show what is gone.
 */
const DEPLOYMENT_FACTS = {
  AWAITING_DATABASE: { isBeingDeleted: false },
  READY: { isBeingDeleted: false },
  UNUSED: { isBeingDeleted: false },
  AWAITING_DELETE: { isBeingDeleted: true },
  AWAITING_FINAL_DELETE: { isBeingDeleted: true },
  DELETED: { isBeingDeleted: true },
  UNKNOWN: { isBeingDeleted: false },
} as const satisfies Record<string, DeploymentStatusFacts>;

export type DeploymentStatus = keyof typeof DEPLOYMENT_FACTS;

/** All of them, in the order of the table. */
export const DEPLOYMENT_STATUSES: readonly DeploymentStatus[] =
  Object.keys(DEPLOYMENT_FACTS).filter(isDeploymentStatus);

function isDeploymentStatus(status: string): status is DeploymentStatus {
  return Object.hasOwn(DEPLOYMENT_FACTS, status);
}

/** Whether a deployment of this status is being deleted; one that this release does not know is not. */
export function isBeingDeleted(status: string | undefined): boolean {
  return (
    status !== undefined && isDeploymentStatus(status) && DEPLOYMENT_FACTS[status].isBeingDeleted
  );
}

/** Whether a deployment of this status is gone, though the service still shows it. */
export function isDeleted(status: string): boolean {
  return status === "DELETED";
}
