import type { Deployment } from "pulumi-agentserver/sdk";
import { deploymentArguments } from "../../provider/deployment/declared/argument-table";
import { declaredBy, type Values } from "../../provider/deployment/declared/declared";
import { difference } from "../../provider/deployment/diff";
import { deriveName } from "../../provider/deployment/declared/name";
import { merge } from "../../provider/deployment/service/shown";
import { patchOf } from "../../provider/deployment/service/patch";
import { type Plan, planOf } from "../../provider/deployment/declared/plan";
import { describePlan } from "../../provider/deployment/preview";
import { NOTHING_GOOD, stateOf, type Target } from "../../provider/deployment/declared/state";
import type { RolloutResult } from "../../provider/deployment/service/rollout-result";
import type { Props } from "../../provider/arguments/props";
import { aRevision } from "./builders";

/** The plan of a change from the outputs in a state to new inputs. */
export function planBetween(olds: Props, news: Props): Plan {
  return planOf(stateOf(olds).declared, declaredBy(news));
}

/** The effect of that change on the engine and the user. */
export function differenceBetween(olds: Props, news: Props) {
  return difference(planBetween(olds, news), stateOf(olds), declaredBy(news));
}

/** The line that the preview shows of that change. */
export function previewOf(olds: Props, news: Props): string | undefined {
  return describePlan(planBetween(olds, news), stateOf(olds), declaredBy(news));
}

/** The PATCH of that change. */
export function patchBetween(olds: Props, news: Props, deployment: Deployment, again = false) {
  return patchOf(planBetween(olds, news), deployment, { again });
}

/** The inputs with the values that the service has. */
export function observedInputs(inputs: Props, deployment: Deployment): Props {
  const declared = declaredBy(inputs);
  return deploymentArguments.withValues(declared, merge<Values>(declared, deployment)).props;
}

/** The target of an operation on a deployment: these inputs. */
export function aTarget(inputs: Props): Target {
  return { declared: declaredBy(inputs), lastGood: NOTHING_GOOD };
}

/** A deployment that was accepted, with a revision of before and the one to follow. */
export function accepted(deployment: Deployment, revisionId: string | null): RolloutResult {
  const before = aRevision({ id: "the one before" });
  return { deployment, revisions: [before], rollout: { revisionId, state: "pending" } };
}

/** The name that is derived for a resource of this URN. */
export function derivedName(urn: string, inputs: Props, attempt = 0): string {
  return deriveName(urn, declaredBy(inputs), attempt);
}
