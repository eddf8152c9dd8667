import { assistantLifecycle } from "./assistant/operations";
import { deploymentLifecycle } from "./deployment/lifecycle";
import type { Lifecycle } from "./kind/lifecycle";
import type { KindName } from "./kinds";
import { listenerLifecycle } from "./listener/operations";
import { oauthProviderLifecycle } from "./oauth-provider/operations";
import { threadLifecycle } from "./thread/operations";

/** The lifecycle of each kind of resource, which both front ends serve. */
export const LIFECYCLES: Readonly<Record<KindName, Lifecycle>> = {
  Deployment: deploymentLifecycle,
  Listener: listenerLifecycle,
  OAuthProvider: oauthProviderLifecycle,
  Thread: threadLifecycle,
  Assistant: assistantLifecycle,
};
