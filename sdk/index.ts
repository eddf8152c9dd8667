export { AgentServer, type AgentServerOptions } from "./agent-server";
export type { Clock } from "./clock";
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
  Unauthorized,
  Unprocessable,
} from "./errors";
export { Integrations } from "./integrations";
export { redact } from "./redact";
export { isPassing, mayHaveArrived } from "./retry";
export { Revisions } from "./revisions";
export { Listeners } from "./listeners";
export { OAuthProviders } from "./oauth-providers";
export {
  DEPLOYMENT_STATUSES,
  type DeploymentStatus,
  REVISION_STATUSES,
  type RevisionStatus,
} from "./status";
export { Threads } from "./threads";
export type { CallOptions } from "./transport";
export type {
  CreateDeployment,
  CreateListener,
  CreateOAuthProvider,
  CreateRevision,
  CreateThread,
  Deployment,
  Integration,
  Listener,
  LogLine,
  LogPage,
  OAuthProvider,
  Repository,
  ResourceSpec,
  Revision,
  SearchThreads,
  Secret,
  ServerInfo,
  SourceConfig,
  SourceConfigRequest,
  SourceRevisionConfig,
  Superstep,
  Thread,
  ThreadHistory,
  ThreadState,
  UpdateDeployment,
  UpdateListener,
  UpdateOAuthProvider,
} from "./schema";
