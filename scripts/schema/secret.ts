import { KINDS, secretOutputsOf } from "../../provider/kinds";
import { SECRETS } from "../../settings/source";

/** The properties that are always secret, by the name of the type that has them. */
const SECRET: Readonly<Record<string, readonly string[]>> = {
  Provider: SECRETS,
  ...Object.fromEntries(
    Object.values(KINDS).map(({ type, secrets }) => [type, secretOutputsOf(secrets)]),
  ),
  SmokeCheck: membersIn("smokeCheck", KINDS.Deployment.secrets.inputs),
  GetThreadResult: KINDS.Thread.secrets.outputs,
  ThreadItem: KINDS.Thread.secrets.outputs,
};

/** Whether a property of a resource or a type is always secret. */
export function isSecret(owner: string, property: string): boolean {
  return SECRET[owner]?.includes(property) === true;
}

function membersIn(argument: string, paths: readonly string[]): string[] {
  const start = `${argument}.`;
  return paths.filter((path) => path.startsWith(start)).map((path) => path.slice(start.length));
}
