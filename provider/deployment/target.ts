import type { Deployment } from "../../sdk";
import type { Operation } from "../host/operation";
import { InitializationFailure } from "../host/initialization-failure";
import type { Props } from "../inputs/props";
import type { Declared } from "./declared";
import type { Observed } from "./observed";
import { toOutputs } from "./outputs";
import { withoutSecrets } from "./redaction";
import type { Rollout } from "./state";

/** An operation on a deployment, and the state that it is to be brought to. */
export interface Target extends Operation {
  readonly declared: Declared;
}

/** What the state keeps of a deployment after the operation. */
export function outputsOf(target: Target, observed: Observed, rollout: Rollout): Props {
  const { declared, settings } = target;
  return toOutputs(declared.inputs, observed, rollout, settings.baseUrl);
}

/**
 * The failure of an operation that the service has accepted, without secret values: the engine keeps id, outputs and
 * reasons, the reasons in clear. It counts reasons as errors, so there is one of several lines, the headline first.
 */
export function failureOf(
  target: Target,
  deployment: Deployment,
  outputs: Props,
  lines: readonly string[],
): InitializationFailure {
  const reason = withoutSecrets(lines.join("\n      "), target, deployment);
  return new InitializationFailure(target.id, outputs, [reason]);
}

/** How long its waits may take: as declared, else the setting. */
export function timeoutSecondsOf({ declared, settings }: Target): number {
  return declared.timeoutSeconds ?? settings.waitTimeoutSeconds;
}
