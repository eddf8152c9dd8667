import { type Deployment, redact } from "../../sdk";
import type { Settings } from "../../settings/settings";
import { textOf } from "../../shared/records";
import { known } from "../arguments/decode";
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
  const images = [declared["sourceRevisionConfig.imageUri"], lastGood.revision?.imageUri];
  const hidden = declared.secretNames.includes("imageUri") ? images : [];
  const all = [apiKey, bearerToken, known(declared.smokeCheck)?.apiKey, ...hidden];
  const keys = all.flatMap((key) => textOf(key) ?? []);
  return redact(text, [...keys, ...secretValues(declared, deployment), ...formerSecrets]);
}

/** Values of variables that are not declared in `env`: the program's secrets, and what others have set. */
export function secretValues(values: Values, deployment: Deployment): string[] {
  const { env = {}, secrets = {} } = environmentOf(values);
  const shown = Object.entries(knownVariables(shownVariables(deployment) ?? {}));
  const others = shown.filter(([name]) => !Object.hasOwn(env, name));
  return [...Object.values(knownVariables(secrets)), ...others.map(([, value]) => value)];
}
