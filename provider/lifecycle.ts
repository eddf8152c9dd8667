import { deploymentLifecycle } from "./deployment/lifecycle";
import { listenerLifecycle } from "./listener/lifecycle";
import { serve } from "./process";
import { threadLifecycle } from "./thread/lifecycle";

// The names of these exports stand in users' states (see dynamic.ts): they never change.

/** The lifecycle of `Deployment`, as Pulumi's dynamic-provider process calls it. */
export const deployment = serve(deploymentLifecycle);

/** The lifecycle of `Listener`, likewise. */
export const listener = serve(listenerLifecycle);

/** The lifecycle of `Thread`, likewise. */
export const thread = serve(threadLifecycle);
