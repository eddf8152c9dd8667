import { factsOf } from "../../../sdk/status";
import type { PollResult } from "../../../sdk/wait";
import type { Until } from "../declared/declared";

/** The result of one poll of a revision. */
export interface Observation {
  readonly status: string;
  readonly until: Exclude<Until, "none">;
  /** Whether the deployment runs this revision or a newer one. */
  readonly isActive: boolean;
  /** Since it was first observed to be deployed. */
  readonly deployedForMs: number;
}

/** The end of a revision. */
type Ended = { readonly state: "done"; readonly warning?: string } | { readonly state: "failed" };

/** A deployed revision that is not shown as the active one after this long counts as done, with a warning. */
const ACTIVATION_MS = 120_000;

/** The meaning of an observed status for a wait. A superseded revision is pending: a newer one is to be followed. */
export function classify({
  status,
  until,
  isActive,
  deployedForMs,
}: Observation): PollResult<Ended> {
  const facts = factsOf(status);
  switch (facts.phase) {
    case "failed":
    case "interrupted":
      return { state: "failed" };
    case "superseded":
      return { state: "pending", stage: `${status}, following a newer revision` };
    case "in progress":
      return { state: "pending", stage: status, isDistant: facts.isDistant };
    case "unknown":
      return { state: "pending", stage: status };
    case "deployed":
      if (until === "deployed" || isActive) return { state: "done" };
      if (deployedForMs < ACTIVATION_MS)
        return { state: "pending", stage: `${status}, not yet active` };
      return {
        state: "done",
        warning: `the revision is ${status}, but the control plane does not show it as the active one`,
      };
  }
}
