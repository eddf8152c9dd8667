import { InitializationFailure, inLines } from "../resource/errors";
import type { Operation } from "../resource/operation";
import type { Props } from "../arguments/props";
import { redactSecrets } from "./service/redaction";
import { toOutputs } from "./service/outputs";
import { RolloutError, type RolloutResult } from "./service/rollout-result";
import type { Target } from "./declared/state";

/**
 * The outputs of an operation. After the service has accepted it, a failure keeps them as an
 * `InitializationFailure`: the engine keeps id, outputs and reasons, the reasons in clear. It counts reasons as errors, so
 * there is one of several lines, the headline first.
 */
export async function outputsAfter(
  operation: Operation,
  target: Target,
  result: Promise<RolloutResult>,
): Promise<Props> {
  try {
    return outputsOf(operation, target, await result);
  } catch (error) {
    if (!(error instanceof RolloutError)) throw error;
    const { deployment } = error.result;
    const outputs = outputsOf(operation, target, error.result);
    const reason = redactSecrets(inLines(error.lines), operation.settings, target, deployment);
    throw new InitializationFailure(deployment.id, outputs, [reason]);
  }
}

/** The outputs that the state keeps of a deployment. */
export function outputsOf(
  { settings }: Operation,
  { declared, lastGood }: Target,
  result: RolloutResult,
): Props {
  const { props } = result.putBack ?? declared;
  return toOutputs(props, result, settings, lastGood);
}
