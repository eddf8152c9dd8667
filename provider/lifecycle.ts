import { systemClock } from "../shared/clock";
import { connectFromDynamicProvider, engineLog } from "./kind/engine-log";
import { LIFECYCLES } from "./lifecycles";
import { newMemory } from "./kind/memory";
import { endWithEngine } from "./doors/dynamic/orphan";
import { type Host, serve } from "./doors/dynamic/serve";
import { sharedReader } from "./kind/shared-reader";

const memory = newMemory();
const host: Host = {
  memory,
  clock: systemClock,
  logOf: (urn) => engineLog(urn, memory, connectFromDynamicProvider),
  readState: sharedReader(async (urn) =>
    (await import("./kind/stack-state.js")).exportStackState(urn),
  ),
};

endWithEngine();

// The names of these exports stand in users' states (doors/dynamic/registration.ts): they never change.

/** The lifecycle of `Deployment`, as Pulumi's dynamic-provider process calls it. */
export const deployment = serve(LIFECYCLES.Deployment, host);

/** The lifecycle of `Listener`, likewise. */
export const listener = serve(LIFECYCLES.Listener, host);

/** The lifecycle of `OAuthProvider`, likewise. */
export const oauthProvider = serve(LIFECYCLES.OAuthProvider, host);

/** The lifecycle of `Thread`, likewise. */
export const thread = serve(LIFECYCLES.Thread, host);

/** The lifecycle of `Assistant`, likewise. */
export const assistant = serve(LIFECYCLES.Assistant, host);

/** The lifecycle of `Cron`, likewise. */
export const cron = serve(LIFECYCLES.Cron, host);
