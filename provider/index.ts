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
