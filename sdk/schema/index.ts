export {
  Assistant,
  AssistantConfig,
  AssistantGraph,
  AssistantId,
  AssistantSchemas,
  AssistantVersion,
  CountAssistants,
  CreateAssistant,
  defaultAssistantId,
  ListAssistantVersions,
  SearchAssistants,
  SetLatestVersion,
  UpdateAssistant,
} from "./assistant";
export { CountCrons, CreateCron, type Cron, CronResponse, SearchCrons, UpdateCron } from "./cron";
export {
  CreateDeployment,
  CreateRevision,
  Deployment,
  DeploymentName,
  DeploymentsList,
  DeploymentType,
  ListenerConfig,
  Secret,
  SecretReference,
  Source,
  SourceConfig,
  SourceConfigRequest,
  UpdateDeployment,
} from "./deployment";
export { DeploymentFilters } from "./deployment-filters";
export { Integration, IntegrationsList, RepositoriesList, Repository } from "./integration";
export { CreateListener, Listener, ListenersList, UpdateListener } from "./listener";
export {
  CreateOAuthProvider,
  OAuthProvider,
  OAuthProvidersList,
  UpdateOAuthProvider,
} from "./oauth-provider";
export {
  Authenticate,
  Authentication,
  AuthenticationResult,
  OAuthToken,
  OAuthTokenExists,
  OAuthTokensList,
  UpdateOAuthToken,
} from "./oauth-token";
export { HTTPValidationError, NoContent, Problem, ValidationProblem } from "./problem";
export {
  Container,
  EnvVar,
  LocalObjectReference,
  ResourceRequirements,
  ResourceSpec,
  roundCpu,
  Volume,
  VolumeMount,
} from "./resource-spec";
export {
  LogLine,
  LogPage,
  LogType,
  Revision,
  RevisionsList,
  SourceRevisionConfig,
  SourceRevisionConfigRequest,
} from "./revision";
export {
  Checkpoint,
  Count,
  CountThreads,
  CreateRun,
  CreateThread,
  Message,
  RunsList,
  RunValues,
  SearchThreads,
  SelectedThread,
  ServerInfo,
  StateWritten,
  StateUpdate,
  StateValues,
  Superstep,
  Thread,
  ThreadHistory,
  ThreadId,
  ThreadState,
  UpdateState,
  UpdateThread,
} from "./thread";
