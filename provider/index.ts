export type {
  AnySourceDeploymentArgs,
  DeploymentArgs,
  DeploymentSource,
  ExternalContainerDeploymentArgs,
  ExternalContainerSourceConfigArgs,
  ExternalContainerSourceRevisionConfigArgs,
  GitHostDeploymentArgs,
  GitHostSourceConfigArgs,
  GitHostSourceRevisionConfigArgs,
  InternalContainerDeploymentArgs,
  InternalContainerSourceConfigArgs,
  InternalContainerSourceRevisionConfigArgs,
  ListenerConfigArgs,
  SecretReferenceArgs,
  SmokeCheckArgs,
  SmokeCheckRunArgs,
  SourceConfigArgs,
  SourceRevisionConfigArgs,
  WaitArgs,
} from "./deployment/declared/arguments";
export type {
  ContainerArgs,
  EnvVarArgs,
  LocalObjectReferenceArgs,
  ResourceRequirementsArgs,
  VolumeArgs,
  VolumeMountArgs,
} from "./deployment/declared/pod-arguments";
export type { ResourceSpecArgs } from "./deployment/declared/resource-spec-arguments";
export {
  Deployment,
  type LastGoodRevisionOutput,
  type ResourceSpecOutput,
  type RevisionOutput,
  type SecretReferenceOutput,
  type RolloutOutput,
  type SourceConfigOutput,
  type SourceRevisionConfigOutput,
} from "./deployment/resource";
export {
  type ComputeConfigArgs,
  type ComputeConfigOutput,
  Listener,
  type ListenerArgs,
} from "./listener/resource";
export { OAuthProvider, type OAuthProviderArgs } from "./oauth-provider/resource";
export { Provider, type ProviderArgs } from "./program/provider";
export {
  getDeployment,
  type GetDeploymentArgs,
  getDeploymentOutput,
  type GetDeploymentResult,
  listDeployments,
  type ListDeploymentsArgs,
  listDeploymentsOutput,
} from "./functions/deployment";
export {
  getIntegration,
  type GetIntegrationArgs,
  getIntegrationOutput,
  type GetIntegrationResult,
  listIntegrations,
  listIntegrationsOutput,
} from "./functions/integration";
export {
  getListener,
  type GetListenerArgs,
  getListenerOutput,
  type GetListenerResult,
  listListeners,
  listListenersOutput,
} from "./functions/listener";
export {
  getOAuthProvider,
  type GetOAuthProviderArgs,
  getOAuthProviderOutput,
  type GetOAuthProviderResult,
  listOAuthProviders,
  listOAuthProvidersOutput,
} from "./functions/oauth-provider";
export type {
  AgentServerFunctionOptions,
  FunctionOptions,
  OutputArgs,
  OutputFunctionOptions,
} from "./functions/define-function";
export {
  getRevision,
  type GetRevisionArgs,
  getRevisionOutput,
  type GetRevisionResult,
  listRevisions,
  type ListRevisionsArgs,
  listRevisionsOutput,
} from "./functions/revision";
export {
  Assistant,
  type AssistantArgs,
  type AssistantConfigArgs,
  type AssistantConfigOutput,
} from "./assistant/resource";
export { Cron, type CronArgs } from "./cron/resource";
export type { ExpectationArgs, GateArgs, GateRunArgs } from "./gate/arguments";
export {
  getAssistant,
  type GetAssistantArgs,
  getAssistantOutput,
  type GetAssistantResult,
  getAssistantSchemas,
  type GetAssistantSchemasArgs,
  getAssistantSchemasOutput,
  type GetAssistantSchemasResult,
  listAssistantVersions,
  type ListAssistantVersionsArgs,
  listAssistantVersionsOutput,
  type GetAssistantVersionResult,
  searchAssistants,
  type SearchAssistantsArgs,
  searchAssistantsOutput,
} from "./functions/assistant";
export {
  getCron,
  type GetCronArgs,
  getCronOutput,
  type GetCronResult,
  searchCrons,
  type SearchCronsArgs,
  searchCronsOutput,
} from "./functions/cron";
export {
  type AgentServerArgs,
  getThread,
  type GetThreadArgs,
  getThreadOutput,
  type GetThreadResult,
  searchThreads,
  type SearchThreadsArgs,
  searchThreadsOutput,
} from "./functions/thread";
export {
  getThreadHistory,
  type GetThreadHistoryArgs,
  getThreadHistoryOutput,
  getThreadState,
  type GetThreadStateArgs,
  type GetThreadStateCheckpoint,
  getThreadStateOutput,
  type GetThreadStateResult,
} from "./functions/thread-state";
export {
  type SuperstepArgs,
  type SuperstepOutput,
  Thread,
  type ThreadArgs,
  type UpdateArgs,
} from "./thread/resource";
