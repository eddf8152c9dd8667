export {
  Deployment,
  type DeploymentArgs,
  type ResourceSpecArgs,
  type RevisionOutput,
  type RolloutOutput,
  type SmokeCheckArgs,
  type SourceConfigArgs,
  type SourceRevisionConfigArgs,
  type WaitArgs,
} from "./deployment";
export { type ComputeConfigArgs, Listener, type ListenerArgs } from "./listener";
export { Provider, type ProviderArgs } from "./provider";
export {
  getDeployment,
  type GetDeploymentArgs,
  getDeploymentOutput,
  type GetDeploymentResult,
  listDeployments,
  type ListDeploymentsArgs,
  listDeploymentsOutput,
} from "./look-ups/deployment";
export {
  getIntegration,
  type GetIntegrationArgs,
  getIntegrationOutput,
  type GetIntegrationResult,
  listIntegrations,
  listIntegrationsOutput,
} from "./look-ups/integration";
export {
  getListener,
  type GetListenerArgs,
  getListenerOutput,
  type GetListenerResult,
  listListeners,
  listListenersOutput,
} from "./look-ups/listener";
export type { AgentServerArgs, LookUpOptions, OutputArgs } from "./look-ups/look-up";
export {
  getRevision,
  type GetRevisionArgs,
  getRevisionOutput,
  type GetRevisionResult,
  listRevisions,
  type ListRevisionsArgs,
  listRevisionsOutput,
} from "./look-ups/revision";
export {
  getThread,
  type GetThreadArgs,
  getThreadOutput,
  type GetThreadResult,
  searchThreads,
  type SearchThreadsArgs,
  searchThreadsOutput,
} from "./look-ups/thread";
export {
  getThreadHistory,
  type GetThreadHistoryArgs,
  getThreadHistoryOutput,
  getThreadState,
  type GetThreadStateArgs,
  getThreadStateOutput,
  type GetThreadStateResult,
} from "./look-ups/thread-state";
export { type SuperstepArgs, Thread, type ThreadArgs, type UpdateArgs } from "./thread";
