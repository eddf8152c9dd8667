import { deploymentLifecycle } from "../../deployment/lifecycle";
import type { Lifecycle } from "../../kind/lifecycle";
import { typeOf } from "../../kind/urn";
import { listenerLifecycle } from "../../listener/operations";
import { oauthProviderLifecycle } from "../../oauth-provider/operations";
import { threadLifecycle } from "../../thread/operations";

const KINDS: ReadonlyMap<string, Lifecycle> = new Map([
  ["agentserver:index:Deployment", deploymentLifecycle],
  ["agentserver:index:Listener", listenerLifecycle],
  ["agentserver:index:OAuthProvider", oauthProviderLifecycle],
  ["agentserver:index:Thread", threadLifecycle],
]);

/** The lifecycle of the resource of a URN; throws for a type that this package does not have. */
export function lifecycleOf(urn: string): Lifecycle {
  const type = typeOf(urn);
  const lifecycle = KINDS.get(type);
  if (lifecycle === undefined)
    throw new Error(`unknown resource type '${type}'; there are ${[...KINDS.keys()].join(", ")}`);
  return lifecycle;
}
