import * as assistant from "./functions/declarations/assistant";
import * as cron from "./functions/declarations/cron";
import * as deployment from "./functions/declarations/deployment";
import * as integration from "./functions/declarations/integration";
import * as listener from "./functions/declarations/listener";
import * as oauthProvider from "./functions/declarations/oauth-provider";
import * as revision from "./functions/declarations/revision";
import * as thread from "./functions/declarations/thread";
import * as threadState from "./functions/declarations/thread-state";
import { served } from "./functions/invoke";

/**
 * Every function, by its name: a row each. The schema, the SDKs and the native provider read it; both forms of a program are
 * in `functions/`, apart from the declarations, so that the native provider's process does not load Pulumi's program runtime.
 */
export const FUNCTIONS = {
  getDeployment: served(deployment.getDeployment),
  listDeployments: served(deployment.listDeployments),
  getIntegration: served(integration.getIntegration),
  listIntegrations: served(integration.listIntegrations),
  getListener: served(listener.getListener),
  listListeners: served(listener.listListeners),
  getOAuthProvider: served(oauthProvider.getOAuthProvider),
  listOAuthProviders: served(oauthProvider.listOAuthProviders),
  getRevision: served(revision.getRevision),
  listRevisions: served(revision.listRevisions),
  getAssistant: served(assistant.getAssistant),
  searchAssistants: served(assistant.searchAssistants),
  listAssistantVersions: served(assistant.listAssistantVersions),
  getAssistantSchemas: served(assistant.getAssistantSchemas),
  getCron: served(cron.getCron),
  searchCrons: served(cron.searchCrons),
  getThread: served(thread.getThread),
  searchThreads: served(thread.searchThreads),
  getThreadState: served(threadState.getThreadState),
  getThreadHistory: served(threadState.getThreadHistory),
};

export type FunctionName = keyof typeof FUNCTIONS;
