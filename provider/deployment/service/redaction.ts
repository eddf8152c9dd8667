import { type Deployment, redact } from "../../../sdk";
import { secretsIn } from "../../../sdk/control-plane";
import type { Settings } from "../../../settings/settings";
import { known } from "../../arguments/decode";
import type { Values } from "../declared/declared";
import { knownVariables } from "../declared/environment";
import { shownVariables } from "./shown";
import type { Target } from "../declared/state";

/** A text without any known secret value: of the settings, the program, the deployment and the former state. */
export function redactSecrets(
  text: string,
  settings: Settings,
  { declared, formerSecrets = [] }: Target,
  deployment: Deployment,
): string {
  const keys = [...secretsIn(settings), known(declared.smokeCheck)?.apiKey ?? []].flat();
  return redact(text, [...keys, ...secretValues(declared, deployment), ...formerSecrets]);
}

/** Values of variables that are not declared in `env`: the program's secrets, and what others have set. */
export function secretValues(values: Values, deployment: Deployment): string[] {
  const { env = {}, secrets = {} } = values.environment;
  const shown = Object.entries(knownVariables(shownVariables(deployment) ?? {}));
  const others = shown.filter(([name]) => !Object.hasOwn(env, name));
  return [...Object.values(knownVariables(secrets)), ...others.map(([, value]) => value)];
}
