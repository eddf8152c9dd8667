export { AgentServer, type AgentServerOptions, type AnyServerInfo } from "./agent-server";
export type { Assistant, AssistantSchemas, AssistantVersion } from "./schema/assistant-responses";
export { Assistants } from "./assistants";
export { Crons } from "./crons";
export type { Clock } from "../shared/clock";
export { normalizeBaseUrl, type BaseUrlRules } from "./base-url";
export { ControlPlane, type ControlPlaneOptions } from "./control-plane";
export { type DialectName, DIALECTS } from "./dialect";
export { type DeploymentFilters, Deployments } from "./deployments";
export {
  BadRequest,
  Conflict,
  ConnectionError,
  type FieldProblem,
  Forbidden,
  InvalidResponseError,
  NotFound,
  NotOfferedError,
  RateLimited,
  RequestError,
  ServerError,
  StatusError,
  TimeoutError,
  TlsError,
  Unauthorized,
  Unprocessable,
} from "./errors";
export { Integrations } from "./integrations";
export { redact } from "../shared/redact";
export { isTransient, isAmbiguous } from "./retry";
export { type LogQuery, type RevisionFilters, Revisions } from "./revisions";
export { Listeners } from "./listeners";
export { OAuthProviders } from "./oauth-providers";
export { OAuthTokens } from "./oauth-tokens";
export {
  DEPLOYMENT_STATUSES,
  type DeploymentStatus,
  REVISION_STATUSES,
  type RevisionStatus,
} from "./status";
export { Runs, type RunOptions } from "./runs";
export type { SelectedThread, Thread, ThreadState } from "./thread-responses";
export { Threads } from "./threads";
export { WaitEnded } from "./wait";
export type { CallOptions } from "./transport";
export type {
  AssistantConfig,
  Authenticate,
  Authentication,
  AuthenticationResult,
  Checkpoint,
  CountAssistants,
  CountCrons,
  CountThreads,
  CreateAssistant,
  CreateCron,
  CreateDeployment,
  CreateListener,
  CreateOAuthProvider,
  CreateRevision,
  CreateRun,
  CreateThread,
  Cron,
  Deployment,
  Integration,
  ListAssistantVersions,
  Listener,
  LogLine,
  LogPage,
  Message,
  OAuthProvider,
  OAuthToken,
  Repository,
  ResourceSpec,
  Revision,
  RunValues,
  SearchAssistants,
  SearchCrons,
  SearchThreads,
  Secret,
  ServerInfo,
  SourceConfig,
  SourceConfigRequest,
  SourceRevisionConfig,
  StateUpdate,
  StateValues,
  Superstep,
  ThreadHistory,
  UpdateAssistant,
  UpdateCron,
  UpdateDeployment,
  UpdateListener,
  UpdateOAuthProvider,
  UpdateOAuthToken,
  UpdateState,
  UpdateThread,
} from "./schema";
