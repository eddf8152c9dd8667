import { systemClock } from "../shared/clock";
import { connectFromDynamicProvider, engineLog } from "./resource/engine-log";
import { LIFECYCLES } from "./lifecycles";
import { newProcessCache } from "./resource/process-cache";
import { endWithEngine } from "./adapters/dynamic/orphan";
import { type Host, serve } from "./adapters/dynamic/serve";
import { sharedReader } from "./resource/shared-reader";

const processCache = newProcessCache();
const host: Host = {
  processCache,
  clock: systemClock,
  logOf: (urn) => engineLog(urn, processCache, connectFromDynamicProvider),
  readState: sharedReader(async (...args) =>
    (await import("./resource/stack-state.js")).exportStackState(...args),
  ),
};

endWithEngine();

// The names of these exports stand in users' states (program/dynamic-registration.ts): they never change.

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
