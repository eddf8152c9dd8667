import { InitializationFailure } from "../resource/initialization-failure";
import type { Operation } from "../resource/operation";
import type { Props } from "../arguments/props";
import { redactSecrets } from "./redaction";
import { toOutputs } from "./service/outputs";
import { type Reached, Unreached } from "./service/reached";
import type { Target } from "./target";

/**
 * The outputs of what an operation has reached. After the service has accepted it, a failure keeps them as an
 * `InitializationFailure`: the engine keeps id, outputs and reasons, the reasons in clear. It counts reasons as errors, so
 * there is one of several lines, the headline first.
 */
export async function outputsAfter(
  operation: Operation,
  target: Target,
  reached: Promise<Reached>,
): Promise<Props> {
  try {
    return outputsOf(operation, target, await reached);
  } catch (error) {
    if (!(error instanceof Unreached)) throw error;
    const { deployment } = error.reached.observed;
    const outputs = outputsOf(operation, target, error.reached);
    const reason = redactSecrets(
      error.lines.join("\n      "),
      operation.settings,
      target,
      deployment,
    );
    throw new InitializationFailure(deployment.id, outputs, [reason]);
  }
}

/** The outputs that the state keeps of a deployment. */
export function outputsOf(
  { settings }: Operation,
  { declared, lastGood }: Target,
  { observed, rollout, putBack = declared }: Reached,
): Props {
  return toOutputs(putBack.props, observed, rollout, settings, lastGood);
}
