import { Provider as DynamicProvider } from "../../config/provider";
import { Assistant as DynamicAssistant } from "../../assistant/resource";
import { Deployment as DynamicDeployment } from "../../deployment/resource";
import { Listener as DynamicListener } from "../../listener/resource";
import { OAuthProvider as DynamicOAuthProvider } from "../../oauth-provider/resource";
import { Thread as DynamicThread } from "../../thread/resource";
import { throughEngine } from "../../functions/define-function";
import * as functions from "../../index";
import { nativeRegistration } from "./registration";

export * from "../../index";

/** `Deployment` of the native provider. */
export class Deployment extends DynamicDeployment {
  /** @internal */
  protected static override readonly registration = nativeRegistration;
}

/** `Listener` of the native provider. */
export class Listener extends DynamicListener {
  /** @internal */
  protected static override readonly registration = nativeRegistration;
}

/** `OAuthProvider` of the native provider. */
export class OAuthProvider extends DynamicOAuthProvider {
  /** @internal */
  protected static override readonly registration = nativeRegistration;
}

/** `Thread` of the native provider. */
export class Thread extends DynamicThread {
  /** @internal */
  protected static override readonly registration = nativeRegistration;
}

/** `Assistant` of the native provider. */
export class Assistant extends DynamicAssistant {
  /** @internal */
  protected static override readonly registration = nativeRegistration;
}

/** `Provider` of the native provider's resources. */
export class Provider extends DynamicProvider {
  /** @internal */
  protected static override readonly registration = nativeRegistration;
}

// The functions of the native provider: a call passes through the engine.
export const getAssistant = throughEngine(functions.getAssistant);
export const getAssistantOutput = throughEngine(functions.getAssistantOutput);
export const getAssistantSchemas = throughEngine(functions.getAssistantSchemas);
export const getAssistantSchemasOutput = throughEngine(functions.getAssistantSchemasOutput);
export const getDeployment = throughEngine(functions.getDeployment);
export const getDeploymentOutput = throughEngine(functions.getDeploymentOutput);
export const getIntegration = throughEngine(functions.getIntegration);
export const getIntegrationOutput = throughEngine(functions.getIntegrationOutput);
export const getListener = throughEngine(functions.getListener);
export const getListenerOutput = throughEngine(functions.getListenerOutput);
export const getOAuthProvider = throughEngine(functions.getOAuthProvider);
export const getOAuthProviderOutput = throughEngine(functions.getOAuthProviderOutput);
export const getRevision = throughEngine(functions.getRevision);
export const getRevisionOutput = throughEngine(functions.getRevisionOutput);
export const getThread = throughEngine(functions.getThread);
export const getThreadHistory = throughEngine(functions.getThreadHistory);
export const getThreadHistoryOutput = throughEngine(functions.getThreadHistoryOutput);
export const getThreadOutput = throughEngine(functions.getThreadOutput);
export const getThreadState = throughEngine(functions.getThreadState);
export const getThreadStateOutput = throughEngine(functions.getThreadStateOutput);
export const listAssistantVersions = throughEngine(functions.listAssistantVersions);
export const listAssistantVersionsOutput = throughEngine(functions.listAssistantVersionsOutput);
export const listDeployments = throughEngine(functions.listDeployments);
export const listDeploymentsOutput = throughEngine(functions.listDeploymentsOutput);
export const listIntegrations = throughEngine(functions.listIntegrations);
export const listIntegrationsOutput = throughEngine(functions.listIntegrationsOutput);
export const listListeners = throughEngine(functions.listListeners);
export const listListenersOutput = throughEngine(functions.listListenersOutput);
export const listOAuthProviders = throughEngine(functions.listOAuthProviders);
export const listOAuthProvidersOutput = throughEngine(functions.listOAuthProvidersOutput);
export const listRevisions = throughEngine(functions.listRevisions);
export const listRevisionsOutput = throughEngine(functions.listRevisionsOutput);
export const searchAssistants = throughEngine(functions.searchAssistants);
export const searchAssistantsOutput = throughEngine(functions.searchAssistantsOutput);
export const searchThreads = throughEngine(functions.searchThreads);
export const searchThreadsOutput = throughEngine(functions.searchThreadsOutput);
