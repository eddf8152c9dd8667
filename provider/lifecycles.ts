import { assistantLifecycle } from "./assistant/operations";
import { cronLifecycle } from "./cron/operations";
import { deploymentLifecycle } from "./deployment/lifecycle";
import type { Lifecycle } from "./kind/lifecycle";
import { markingSecrets } from "./kind/marking";
import type { KindName } from "./kinds";
import { listenerLifecycle } from "./listener/operations";
import { oauthProviderLifecycle } from "./oauth-provider/operations";
import { threadLifecycle } from "./thread/operations";

/** The lifecycle of each kind of resource, which both front ends serve. */
export const LIFECYCLES: Readonly<Record<KindName, Lifecycle>> = {
  Deployment: markingSecrets(deploymentLifecycle),
  Listener: markingSecrets(listenerLifecycle),
  OAuthProvider: markingSecrets(oauthProviderLifecycle),
  Thread: markingSecrets(threadLifecycle),
  Assistant: markingSecrets(assistantLifecycle),
  Cron: markingSecrets(cronLifecycle),
};
