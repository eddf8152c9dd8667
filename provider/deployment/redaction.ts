import { type Deployment, redact } from "../../sdk";
import type { Settings } from "../../settings/settings";
import { textOf } from "../../shared/records";
import { known } from "../arguments/decode";
import { valuesNamed } from "../arguments/secrets";
import type { Values } from "./declared/declared";
import { environmentOf, knownVariables, shownVariables } from "./declared/environment";
import type { Target } from "./target";

/** A text without any known secret value: of the settings, the program, the deployment and the former state. */
export function redactSecrets(
  text: string,
  { apiKey, bearerToken }: Settings,
  { declared, lastGood, formerSecrets = [] }: Target,
  deployment: Deployment,
): string {
  const all = [apiKey, bearerToken, known(declared.smokeCheck)?.apiKey];
  const keys = all.flatMap((key) => textOf(key) ?? []);
  const own = valuesNamed(declared.secretNames, [declared.props, lastGood.revision]);
  return redact(text, [...keys, ...own, ...secretValues(declared, deployment), ...formerSecrets]);
}

/** Values of variables that are not declared in `env`: the program's secrets, and what others have set. */
export function secretValues(values: Values, deployment: Deployment): string[] {
  const { env = {}, secrets = {} } = environmentOf(values);
  const shown = Object.entries(knownVariables(shownVariables(deployment) ?? {}));
  const others = shown.filter(([name]) => !Object.hasOwn(env, name));
  return [...Object.values(knownVariables(secrets)), ...others.map(([, value]) => value)];
}
