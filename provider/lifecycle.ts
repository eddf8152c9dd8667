import { systemClock } from "../shared/clock";
import { deploymentLifecycle } from "./deployment/lifecycle";
import { connectFromDynamicProvider, engineLog } from "./kind/engine-log";
import { listenerLifecycle } from "./listener/operations";
import { oauthProviderLifecycle } from "./oauth-provider/operations";
import { newMemory } from "./kind/memory";
import { type Host, serve } from "./doors/dynamic/serve";
import { sharedReader } from "./kind/shared-reader";
import { threadLifecycle } from "./thread/operations";

const memory = newMemory();
const host: Host = {
  memory,
  clock: systemClock,
  logOf: (urn) => engineLog(urn, memory, connectFromDynamicProvider),
  readState: sharedReader(async (urn) =>
    (await import("./kind/stack-state.js")).exportStackState(urn),
  ),
};

// The names of these exports stand in users' states (see dynamic.ts): they never change.

/** The lifecycle of `Deployment`, as Pulumi's dynamic-provider process calls it. */
export const deployment = serve(deploymentLifecycle, host);

/** The lifecycle of `Listener`, likewise. */
export const listener = serve(listenerLifecycle, host);

/** The lifecycle of `OAuthProvider`, likewise. */
export const oauthProvider = serve(oauthProviderLifecycle, host);

/** The lifecycle of `Thread`, likewise. */
export const thread = serve(threadLifecycle, host);
