import { hasFailed } from "../../sdk/status";
import type { Props } from "../inputs/props";
import { lastGoodRevision } from "./last-good";
import type { Observed } from "./observed";
import { toRevisionOutput, toServiceOutputs } from "./service-outputs";
import type { LastGood, Rollout } from "./state";

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
  lastGood: LastGood,
): Props {
  const [newest] = revisions;
  return {
    ...UNDECLARED,
    ...inputs,
    ...toServiceOutputs(deployment, baseUrl),
    revisions: revisions.slice(0, LISTED_REVISIONS).map(toRevisionOutput),
    // Also one that a push created.
    failedRevision: newest && hasFailed(newest.status) ? toRevisionOutput(newest) : null,
    lastGoodRevision: lastGoodRevision({ deployment, revisions }, rollout, lastGood.revision),
    // Secret, since they hold variables. After a roll-out that is done they are the inputs themselves.
    lastGoodInputs: rollout.state === "done" ? undefined : lastGood.declared?.inputs,
    rollout,
    ready: rollout.state === "done",
  };
}
