import { type Deployment, redact } from "../../sdk";
import type { Operation } from "../kind/operation";
import { InitializationFailure } from "../kind/initialization-failure";
import type { Props } from "../arguments/props";
import { known } from "../arguments/decode";
import type { Declared, Values } from "./declared/declared";
import { environmentOf, knownVariables } from "./declared/environment";
import type { Observed } from "./service/observed";
import { toOutputs } from "./service/outputs";
import type { LastGood, Rollout } from "./state";

/** An operation on a deployment, and the state that it is to be brought to. */
export interface Target extends Operation {
  readonly declared: Declared;
  /** Secret values of the time before the operation, which no text may show either. */
  readonly formerSecrets?: readonly string[];
  /** What the state before the operation can go back to. */
  readonly lastGood: LastGood;
}

/** What the state keeps of a deployment after the operation. */
export function outputsOf(target: Target, observed: Observed, rollout: Rollout): Props {
  const { declared, settings, lastGood } = target;
  return toOutputs(declared.props, observed, rollout, settings.baseUrl, lastGood);
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
  const reason = redactSecrets(lines.join("\n      "), target, deployment);
  return new InitializationFailure(target.id, outputs, [reason]);
}

/** How long a wait that begins now may take: as declared, else the setting, and not beyond the operation's deadline. */
export function timeoutMsOf({ declared, settings, deadline, clock }: Target): number {
  const { timeoutSeconds } = declared;
  if (deadline === undefined) return (timeoutSeconds ?? settings.waitTimeoutSeconds) * 1000;
  return Math.min((timeoutSeconds ?? Infinity) * 1000, deadline - clock.now());
}

/** A text without any known secret value: of the settings, the program, the deployment and the former state. */
export function redactSecrets(
  text: string,
  { settings, declared, formerSecrets = [] }: Target,
  deployment: Deployment,
): string {
  const { apiKey, bearerToken } = settings;
  const keys = [apiKey, bearerToken, known(declared.smokeCheck)?.apiKey].filter(
    (key) => key !== undefined,
  );
  return redact(text, [...keys, ...secretValues(declared, deployment), ...formerSecrets]);
}

/** Values of variables that are not declared in `env`: the program's secrets, and what others have set. */
export function secretValues(values: Values, deployment: Deployment): string[] {
  const { env = {}, secrets = {} } = environmentOf(values);
  const others = (deployment.secrets ?? []).filter(({ name }) => !Object.hasOwn(env, name));
  return [...Object.values(knownVariables(secrets)), ...others.map(({ value }) => value)];
}
