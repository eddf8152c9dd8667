import { recordOf } from "../../../shared/records";
import type { Connections } from "../../functions/connections";
import * as deployment from "../../functions/declarations/deployment";
import * as integration from "../../functions/declarations/integration";
import * as listener from "../../functions/declarations/listener";
import * as oauthProvider from "../../functions/declarations/oauth-provider";
import * as revision from "../../functions/declarations/revision";
import * as thread from "../../functions/declarations/thread";
import * as threadState from "../../functions/declarations/thread-state";
import { type FunctionDeclaration, invoke } from "../../functions/invoke";
import { present, type Props } from "../../arguments/props";
import { withSecrets } from "../../arguments/secrets";

/** A function as the engine calls it: with its arguments and the provider's configuration. */
type Call = (given: Props, config: Props) => Promise<Props>;

const FUNCTIONS: ReadonlyMap<string, Call> = new Map([
  served(deployment.one),
  served(deployment.every),
  served(integration.one),
  served(integration.every),
  served(listener.one),
  served(listener.every),
  served(oauthProvider.one),
  served(oauthProvider.every),
  served(revision.one),
  served(revision.every),
  served(thread.one),
  served(thread.every),
  served(threadState.one),
  served(threadState.every),
]);

/** The function of a token: `agentserver:index:getDeployment`. Throws for one that this package does not have. */
export function functionOf(token: string): Call {
  const call = FUNCTIONS.get(token);
  if (call === undefined)
    throw new Error(`unknown function '${token}'; there are ${[...FUNCTIONS.keys()].join(", ")}`);
  return call;
}

function served<Args, Result, Service extends keyof Connections>(
  declaration: FunctionDeclaration<Args, Result, Service>,
): [string, Call] {
  const { name, service, list, secretMembers = [] } = declaration;
  const shown = (item: unknown): Props => withSecrets(recordOf(item), secretMembers);
  const call: Call = async (given, config) => {
    const { apiKey, ...others } = present(given);
    const target =
      service === "agent server"
        ? { args: others, access: { apiKey } }
        : { args: present(given), access: config };
    const result = await invoke(declaration, { ...target, isSecret: false });
    return Array.isArray(result) ? { [String(list)]: result.map(shown) } : shown(result);
  };
  return [`agentserver:index:${name}`, call];
}
