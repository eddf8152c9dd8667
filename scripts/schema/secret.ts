import { RESOURCE_TYPES, secretOutputsOf } from "../../provider/resource-types";
import { SECRETS } from "../../settings/source";

/** The properties that are always secret, by the name of the type that has them. */
const SECRET: Readonly<Record<string, readonly string[]>> = {
  Provider: SECRETS,
  ...Object.fromEntries(
    Object.values(RESOURCE_TYPES).map(({ type, secrets }) => [type, secretOutputsOf(secrets)]),
  ),
  SmokeCheck: membersIn("smokeCheck", RESOURCE_TYPES.Deployment.secrets.inputs),
  GetThreadResult: RESOURCE_TYPES.Thread.secrets.outputs,
  ThreadItem: RESOURCE_TYPES.Thread.secrets.outputs,
};

/** Whether a property of a resource or a type is always secret. */
export function isSecret(owner: string, property: string): boolean {
  return SECRET[owner]?.includes(property) === true;
}

function membersIn(argument: string, paths: readonly string[]): string[] {
  const start = `${argument}.`;
  return paths.filter((path) => path.startsWith(start)).map((path) => path.slice(start.length));
}
