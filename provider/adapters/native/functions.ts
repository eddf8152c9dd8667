import { recordOf } from "../../../shared/records";
import { present, type Props } from "../../arguments/props";
import { withSecrets } from "../../arguments/secrets";
import { FUNCTIONS } from "../../functions";
import type { Caller } from "../../functions/connections";
import type { ServedFunction } from "../../functions/invoke";
import { nativeToken } from "../../resource-types";

const BY_TOKEN: ReadonlyMap<string, ServedFunction> = new Map(
  Object.values(FUNCTIONS).map((row) => [nativeToken(row.name), row]),
);

/**
 * Calls the function of a token, `agentserver:index:getDeployment`, as the engine does: with its arguments and the provider's
 * configuration. Throws for a token that this package does not have.
 */
export async function callFunction(
  token: string,
  given: Props,
  config: Props,
  caller: Caller,
): Promise<Props> {
  const row = BY_TOKEN.get(token);
  if (row === undefined)
    throw new Error(`unknown function '${token}'; there are ${[...BY_TOKEN.keys()].join(", ")}`);
  const { service, list, secretMembers, call } = row;
  const { apiKey, ...others } = present(given);
  const target =
    service === "agent server"
      ? { args: others, access: { ...config, apiKey } }
      : { args: present(given), access: config };
  const result = await call({ ...target, caller });
  const shown = (item: unknown): Props => withSecrets(recordOf(item), secretMembers);
  return Array.isArray(result) ? { [String(list)]: result.map(shown) } : shown(result);
}
