import { RESOURCE_TYPES, secretOutputsOf } from "../../provider/resource-types";
import { SECRETS } from "../../settings/source";

/** The properties that are always secret, by the name of the type that has them. */
const SECRET: Readonly<Record<string, readonly string[]>> = {
  Provider: SECRETS,
  ...Object.fromEntries(
    Object.values(RESOURCE_TYPES).map(({ type, secrets }) => [type, secretOutputsOf(secrets)]),
  ),
  SmokeCheck: RESOURCE_TYPES.Deployment.secrets.inputs.flatMap(
    (path) => /^smokeCheck\.(.*)/.exec(path)?.[1] ?? [],
  ),
  GetThreadResult: RESOURCE_TYPES.Thread.secrets.outputs,
  ThreadItem: RESOURCE_TYPES.Thread.secrets.outputs,
};

/** Whether a property of a resource or a type is always secret. */
export const isSecret = (owner: string, property: string): boolean =>
  SECRET[owner]?.includes(property) === true;
