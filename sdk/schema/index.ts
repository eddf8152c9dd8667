export {
  CreateDeployment,
  Deployment,
  DeploymentName,
  DeploymentsList,
  DeploymentType,
  ListenerConfig,
  Secret,
  Source,
  SourceConfig,
  SourceConfigRequest,
  UpdateDeployment,
} from "./deployment";
export { Integration, IntegrationsList } from "./integration";
export { Listener, ListenersList } from "./listener";
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
} from "./revision";
export {
  Checkpoint,
  CountThreads,
  CreateThread,
  Message,
  SearchThreads,
  ServerInfo,
  StateUpdate,
  Superstep,
  Thread,
  ThreadHistory,
  ThreadId,
  ThreadState,
  UpdateThread,
} from "./thread";
