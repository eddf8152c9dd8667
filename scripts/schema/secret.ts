import { additionalSecretOutputs, SECRETS } from "../../provider/secret-properties";
import { CREDENTIALS } from "../../settings/source";

/** The properties that are always secret, by the name of the type that has them. */
const SECRET: Readonly<Record<string, readonly string[]>> = {
  Provider: CREDENTIALS,
  Deployment: additionalSecretOutputs(SECRETS.Deployment),
  SmokeCheck: membersIn("smokeCheck", SECRETS.Deployment.inputs),
  OAuthProvider: additionalSecretOutputs(SECRETS.OAuthProvider),
  Thread: additionalSecretOutputs(SECRETS.Thread),
  GetThreadResult: SECRETS.Thread.outputs,
  ThreadItem: SECRETS.Thread.outputs,
};

/** Whether a property of a resource or a type is always secret. */
export function isSecret(owner: string, property: string): boolean {
  return SECRET[owner]?.includes(property) === true;
}

function membersIn(argument: string, paths: readonly string[]): string[] {
  const start = `${argument}.`;
  return paths.filter((path) => path.startsWith(start)).map((path) => path.slice(start.length));
}
