import { assistantLifecycle } from "./assistant/operations";
import { cronLifecycle } from "./cron/operations";
import { deploymentLifecycle } from "./deployment/lifecycle";
import type { Lifecycle } from "./resource/lifecycle";
import { markingSecrets } from "./resource/marking";
import type { ResourceTypeName } from "./resource-types";
import { listenerLifecycle } from "./listener/operations";
import { oauthProviderLifecycle } from "./oauth-provider/operations";
import { threadLifecycle } from "./thread/operations";

/** The lifecycle of each resource type, which both front ends serve. */
export const LIFECYCLES: Readonly<Record<ResourceTypeName, Lifecycle>> = {
  Deployment: markingSecrets(deploymentLifecycle),
  Listener: markingSecrets(listenerLifecycle),
  OAuthProvider: markingSecrets(oauthProviderLifecycle),
  Thread: markingSecrets(threadLifecycle),
  Assistant: markingSecrets(assistantLifecycle),
  Cron: markingSecrets(cronLifecycle),
};
