import { hasFailed } from "../../sdk/status";
import type { Props } from "../inputs/props";
import type { Observed } from "./observed";
import { toRevisionOutput, toServiceOutputs } from "./service-outputs";
import type { Rollout } from "./state";

/** The newest revisions that the outputs list. */
export const LISTED_REVISIONS = 10;

/** What is not declared is null: an output that the state lacks is unknown at every preview, and so is what uses it. */
const UNDECLARED = { sourceConfig: null, sourceRevisionConfig: null, env: null, secrets: null };

/** Everything the state keeps: the inputs as they were declared, and what the service says. */
export function toOutputs(
  inputs: Props,
  { deployment, revisions }: Observed,
  rollout: Rollout,
  baseUrl: string,
): Props {
  const [newest] = revisions;
  return {
    ...UNDECLARED,
    ...inputs,
    ...toServiceOutputs(deployment, baseUrl),
    revisions: revisions.slice(0, LISTED_REVISIONS).map(toRevisionOutput),
    // Also one that a push created.
    failedRevision: newest && hasFailed(newest.status) ? toRevisionOutput(newest) : null,
    rollout,
    ready: rollout.state === "done",
  };
}
