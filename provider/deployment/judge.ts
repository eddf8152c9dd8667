import { REVISION_STATUSES } from "../../sdk/status";

/** When a wait is over: when the revision serves, when it is deployed, or at once. */
export type Until = "active" | "deployed" | "none";

/** What one look at a revision showed. */
export interface Observation {
  readonly status: string;
  readonly until: Exclude<Until, "none">;
  /** Whether the deployment runs this revision or a newer one. */
  readonly isActive: boolean;
  /** Since it was first seen to be deployed. */
  readonly deployedForMs: number;
}

export type Classification =
  | { readonly state: "pending"; readonly stage: string; readonly distant: boolean }
  | { readonly state: "done"; readonly warning?: string }
  | { readonly state: "failed" }
  | { readonly state: "superseded" };

/** A deployed revision that is not shown as the active one after this long is taken for good, with a warning. */
const ACTIVATION_MS = 120_000;

/**
 * What a look means. The contract knows `DEPLOYED` and statuses that hold `FAILED`; the public service also has
 * `SKIPPED` (a newer revision came first: judge that one) and `INTERRUPTED` (ended by a person). Any other status, also
 * one that this release does not know, means that it is still going.
 */
export function classify({ status, until, isActive, deployedForMs }: Observation): Classification {
  if (hasFailed(status)) return { state: "failed" };
  if (status === "SKIPPED") return { state: "superseded" };
  if (status !== "DEPLOYED") return { state: "pending", stage: status, distant: isEarly(status) };
  if (until === "deployed" || isActive) return { state: "done" };
  if (deployedForMs < ACTIVATION_MS)
    return { state: "pending", stage: "DEPLOYED, not yet active", distant: false };
  return {
    state: "done",
    warning: "the revision is DEPLOYED, but the control plane does not show it as the active one",
  };
}

/** Whether a revision of this status has ended without running. */
export function hasFailed(status: string): boolean {
  return status === "INTERRUPTED" || status.includes("FAILED");
}

const EARLY: readonly string[] = REVISION_STATUSES.slice(0, REVISION_STATUSES.indexOf("DEPLOYING"));

/** Whether it must be `DEPLOYING` before it is deployed. */
function isEarly(status: string): boolean {
  return EARLY.includes(status);
}

/** Whether a deployment of this status is on its way out; the public service has a second such status. */
export function isBeingDeleted(status: string | undefined): boolean {
  return status === "AWAITING_DELETE" || status === "AWAITING_FINAL_DELETE";
}
