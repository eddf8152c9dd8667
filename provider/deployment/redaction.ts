import { type Deployment, redact } from "../../sdk";
import type { Operation } from "../host/operation";
import type { Declared } from "./declared";

/** A text without any known secret value: of the settings, the program, the deployment and the former state. */
export function withoutSecrets(
  text: string,
  { settings, declared, formerSecrets = [] }: Operation & { readonly declared: Declared },
  deployment: Deployment,
): string {
  const { apiKey, bearerToken } = settings;
  const keys = [apiKey, bearerToken, declared.smokeCheck?.apiKey].filter(
    (key) => key !== undefined,
  );
  return redact(text, [...keys, ...secretValues(declared, deployment), ...formerSecrets]);
}

/** Values of variables that are not declared in `env`: the program's secrets, and what others have set. */
export function secretValues({ environment }: Declared, deployment: Deployment): string[] {
  const { env = {}, secrets = {} } = environment;
  const others = (deployment.secrets ?? []).filter(({ name }) => !Object.hasOwn(env, name));
  return [...Object.values(secrets), ...others.map(({ value }) => value)];
}
