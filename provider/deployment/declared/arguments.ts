import type { Input, Output, OutputInstance } from "@pulumi/pulumi";
import type { DeploymentType } from "../../../sdk/dialect";
import type { GateRunArgs } from "../../gate/arguments";
import type { ResourceSpecArgs } from "./resource-spec-arguments";

// An optional scalar may also be an output of undefined. An optional object may not: the compiler's errors then name the
// interface that lacks a member.

type SourceName = "git_host" | "external_container" | "internal_container";

declare const knownAtRunTime: unique symbol;

/**
 * A source that only the running program knows. A string becomes one by a cast:
 * `config.require("source") as agentserver.DeploymentSource`. A literal is not one: it names its own arguments.
 */
export type DeploymentSource = SourceName & { readonly [knownAtRunTime]: true };

/** The end of `pulumi up`'s wait after it created a revision. */
export interface WaitArgs {
  /**
   * `active`: the revision serves. `deployed`: the service has deployed it. `none`: the service has accepted it.
   * @default "active"
   */
  until?: Input<"active" | "deployed" | "none" | undefined>;
  /**
   * In seconds: how long the wait may take, and how long a deletion may take.
   * @default the setting `agentserver:waitTimeoutSeconds`, else 1800
   */
  timeoutSeconds?: Input<number | undefined>;
}

/** One run of a smoke check, on a thread of its own, which is deleted afterwards. */
export interface SmokeCheckRunArgs extends GateRunArgs {
  /**
   * The assistant to run, a UUID, or a graph for its default assistant.
   * @default `graphId` of the smoke check
   */
  assistantId?: Input<string | undefined>;
}

/** The check of the deployed agent server. */
export interface SmokeCheckArgs {
  /**
   * The agent server's own key, sent as `X-Api-Key`; one that begins with `Bearer ` or `Basic ` as `Authorization`. Always
   * secret. The control plane's key is never sent there.
   * @default none
   */
  apiKey?: Input<string | undefined>;
  /**
   * The graph that the thread is tied to.
   * @default none
   */
  graphId?: Input<string | undefined>;
  /**
   * The gate: runs that must meet their expectations after that, five at a time. Each costs what the graph's models cost.
   * Excludes `wait.until: "none"`.
   * @default none
   */
  runs?: Input<Input<SmokeCheckRunArgs>[]> | undefined;
  /**
   * The share of the runs that must pass, above 0 and up to 1.
   * @default 0.9
   */
  atLeast?: Input<number | undefined>;
  /**
   * In seconds: how long the agent server may take to answer, and how long each run may take in all.
   * @default 60
   */
  timeoutSeconds?: Input<number | undefined>;
}

/** Arguments that every source has. */
interface CommonDeploymentArgs {
  /**
   * The name on the service: letters, digits and inner dashes, starting with a letter. Another name replaces the
   * deployment.
   * @default derived: `<logical name>-<stack>-<7 hex digits>`
   */
  name?: Input<string | undefined>;
  /**
   * The name that people see on the service's pages, in the dialect `langsmith` alone. A change creates no revision. It
   * can't be removed, only changed.
   * @default chosen by the service
   */
  displayName?: Input<string | undefined>;
  /**
   * Environment variables of the agent server, shown in diffs. A change creates a revision. Null, which an output such as
   * the `url` of another deployment can be, is refused by name. Once `env` or `secrets` is
   * set, the program owns all variables: those that it does not name are removed.
   * @default the variables on the service are left alone
   */
  env?: Input<Record<string, Input<string | null>>> | undefined;
  /**
   * Environment variables that are secret: encrypted in the state, never shown. A change creates a revision. A name is
   * either in `env` or here.
   * @default the variables on the service are left alone
   */
  secrets?: Input<Record<string, Input<string | null>>> | undefined;
  /**
   * The end of `pulumi up`'s wait. A change sends nothing.
   * @default { until: "active" }
   */
  wait?: Input<WaitArgs> | undefined;
  /**
   * The reaction to an update whose revision failed. The update fails in either case.
   *
   * - `keep`: nothing is sent. The old revision serves on where the service keeps it.
   * - `rollback`: goes back to the last good revision. A tag or an image is set again; for a branch that revision is
   *   redeployed, where the control plane offers it. Excludes `buildOnPush` and `wait.until: "none"`.
   *
   * A change sends nothing.
   * @default "keep"
   */
  onFailure?: Input<"keep" | "rollback" | undefined>;
  /**
   * The check of the agent server after the revision serves: creates a thread at the deployment's URL, reads its state,
   * and deletes it where the server offers that. With `runs` it is a gate: the revision is ready only when enough of them
   * pass. In TypeScript `true` is the same as `{}`. A change sends nothing.
   * @default not checked
   */
  smokeCheck?: Input<boolean | SmokeCheckArgs> | undefined;
  /**
   * Whether to adopt a deployment of exactly this name instead of failing. If another stack has it too, a destroy of either
   * deletes it: remove the argument once the deployment is in the state. A change sends nothing.
   * @default false
   */
  adoptExisting?: Input<boolean | undefined>;
  /**
   * Whether the deployment is neither replaced nor deleted while its agent server has threads, or cannot be asked. Where the
   * server asks for a key, it is that of `smokeCheck`. A change sends nothing.
   * @default false
   */
  protectThreads?: Input<boolean | undefined>;
  /**
   * Any value; assets and archives count by their content. A change from one value to another creates a revision of the same
   * inputs.
   * @default none
   */
  redeployOn?: Input<unknown>;
}

/** Commands that build a revision; JavaScript only. */
interface BuildArgs {
  /**
   * Installs the dependencies, in the repository's root. JavaScript only. A change creates a revision. It can't be
   * removed, only changed.
   * @default detected from the lock file
   */
  installCommand?: Input<string | undefined>;
  /**
   * Builds the code, in the folder of the graph configuration. JavaScript only. A change creates a revision. It can't be
   * removed, only changed.
   * @default none
   */
  buildCommand?: Input<string | undefined>;
}

/** The git repository of a `git_host` deployment (contract, "SourceConfig"). */
export interface GitHostSourceConfigArgs extends BuildArgs {
  /** The integration of the git host, a UUID, as `getIntegration` finds it. Another one replaces the deployment. */
  integrationId: Input<string>;
  /** The URL of the git repository, without credentials. Another one replaces the deployment. */
  repoUrl: Input<string>;
  /**
   * The service's type of the deployment; `dev_zero` and `dev_free_zero` in the dialect `langsmith` alone. Another one
   * replaces the deployment.
   */
  deploymentType: Input<DeploymentType>;
  /**
   * Whether each push to the branch creates a revision; not for a tag. A change creates no revision.
   * @default false
   */
  buildOnPush?: Input<boolean | undefined>;
}

/** The code of a `git_host` revision (contract, "SourceRevisionConfig"). */
export interface GitHostSourceRevisionConfigArgs {
  /** A branch by its name, or a tag as `refs/tags/<name>`. A change creates a revision. */
  repoRef: Input<string>;
  /** The path of the graph configuration in the repository: `langgraph.json`. A change creates a revision. */
  graphConfigPath: Input<string>;
  /**
   * The commit that the ref must name, in full: 40 hexadecimal digits. A revision of another commit is interrupted where
   * the control plane offers that, and the update fails. Another value creates a revision of the ref. Excludes
   * `buildOnPush` and `wait.until: "none"`.
   * @default any commit
   */
  repoCommitSha?: Input<string | undefined>;
}

/** A listener's placement of a deployment (contract, "ListenerConfig"). */
export interface ListenerConfigArgs {
  /**
   * The Kubernetes namespace, one of the listener's. Another one replaces the deployment.
   * @default chosen by the service
   */
  k8sNamespace?: Input<string | undefined>;
}

/** Place and size of an `external_container` deployment (contract, "SourceConfig"). */
export interface ExternalContainerSourceConfigArgs extends BuildArgs {
  /**
   * The URL to serve at. A change creates no revision. It can't be removed, only changed.
   * @default chosen by the service
   */
  customUrl?: Input<string | undefined>;
  /**
   * Size and shape. A new member, or another value of one, creates a revision. A member that is removed from the program
   * keeps its value on the service.
   * @default chosen by the service
   */
  resourceSpec?: Input<ResourceSpecArgs> | undefined;
  /**
   * The listener that places the deployment, a UUID: the `id` of a `Listener`. Another one replaces the deployment.
   * @default none
   */
  listenerId?: Input<string | undefined>;
  /**
   * The listener's placement of the deployment.
   * @default chosen by the service
   */
  listenerConfig?: Input<ListenerConfigArgs> | undefined;
}

/** The image of an `external_container` revision (contract, "SourceRevisionConfig"). */
export interface ExternalContainerSourceRevisionConfigArgs {
  /** The container image: `registry.example.com/acme/support:1.4`. A change creates a revision. */
  imageUri: Input<string>;
}

/** A variable from a Kubernetes Secret of the deployment's namespace. */
export interface SecretReferenceArgs {
  /** The name of the variable. */
  name: Input<string>;
  /** The name of the Kubernetes Secret. */
  secretName: Input<string>;
  /** The key in it. */
  secretKey: Input<string>;
}

interface SecretReferencesArgs {
  /**
   * Environment variables from Kubernetes Secrets of the deployment's namespace, in the dialect `langsmith` alone: their
   * values never reach the state. A change creates a revision. A name is here, or in `env` or `secrets`.
   * @default the references on the service are left alone
   */
  secretReferences?: Input<Input<SecretReferenceArgs>[]> | undefined;
}

/** The type of an `internal_container` deployment (contract, "SourceConfig"). */
export interface InternalContainerSourceConfigArgs extends BuildArgs {
  /**
   * The service's type of the deployment; `dev_zero` and `dev_free_zero` in the dialect `langsmith` alone. Another one
   * replaces the deployment.
   * @default chosen by the service
   */
  deploymentType?: Input<DeploymentType | undefined>;
}

/** The image of an `internal_container` revision (contract, "SourceRevisionConfig"). */
export interface InternalContainerSourceRevisionConfigArgs {
  /**
   * The container image. A change creates a revision.
   * @default none
   */
  imageUri?: Input<string | undefined>;
}

/** `sourceConfig` of any source: the preview reports a field that the source requires or does not have. */
export interface SourceConfigArgs
  extends Optional<GitHostSourceConfigArgs>, ExternalContainerSourceConfigArgs {}

/** `sourceRevisionConfig` of any source: the preview reports a field that the source requires or does not have. */
export interface SourceRevisionConfigArgs
  extends Optional<GitHostSourceRevisionConfigArgs>, InternalContainerSourceRevisionConfigArgs {}

/** None of the members is required. Editors show the comments of `Args`. */
type Optional<Args> = {
  [Name in keyof Args]?: Input<
    Exclude<Args[Name], Promise<unknown> | OutputInstance<unknown>> | undefined
  >;
};

/** Arguments of a `Deployment` that the service builds from a git repository; on the cloud only. */
export interface GitHostDeploymentArgs extends CommonDeploymentArgs {
  /** Another source replaces the deployment. */
  source: "git_host";
  /** The git repository. */
  sourceConfig: Input<GitHostSourceConfigArgs>;
  /** The code to run. */
  sourceRevisionConfig: Input<GitHostSourceRevisionConfigArgs>;
}

/** Arguments of a `Deployment` that runs a container image; on self-hosted installations only. */
export interface ExternalContainerDeploymentArgs
  extends CommonDeploymentArgs, SecretReferencesArgs {
  /** Another source replaces the deployment. */
  source: "external_container";
  /**
   * Place and size.
   * @default chosen by the service
   */
  sourceConfig?: Input<ExternalContainerSourceConfigArgs> | undefined;
  /** The image to run. */
  sourceRevisionConfig: Input<ExternalContainerSourceRevisionConfigArgs>;
}

/** Arguments of a `Deployment` that runs an image of the service's own registry. */
export interface InternalContainerDeploymentArgs extends CommonDeploymentArgs {
  /** Another source replaces the deployment. */
  source: "internal_container";
  /**
   * The type of the deployment.
   * @default chosen by the service
   */
  sourceConfig?: Input<InternalContainerSourceConfigArgs> | undefined;
  /**
   * The image to run.
   * @default none
   */
  sourceRevisionConfig?: Input<InternalContainerSourceRevisionConfigArgs> | undefined;
}

/**
 * Arguments of a `Deployment` whose source only the running program knows: the preview, not the compiler, reports fields
 * that the source requires or does not have. `config.require("source") as DeploymentSource` is such a source.
 */
export interface AnySourceDeploymentArgs extends CommonDeploymentArgs, SecretReferencesArgs {
  /** The source of the code. Another source replaces the deployment. */
  source: DeploymentSource | Output<SourceName> | Promise<SourceName>;
  /**
   * The source of the code, and the deployment's place and size.
   * @default chosen by the service
   */
  sourceConfig?: Input<SourceConfigArgs> | undefined;
  /**
   * The code or the image to run.
   * @default none
   */
  sourceRevisionConfig?: Input<SourceRevisionConfigArgs> | undefined;
}

/** Arguments of a `Deployment`: those of its source. */
export type DeploymentArgs =
  | GitHostDeploymentArgs
  | ExternalContainerDeploymentArgs
  | InternalContainerDeploymentArgs
  | AnySourceDeploymentArgs;
