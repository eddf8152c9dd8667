import {
  type CustomResourceOptions,
  type ID,
  type Input,
  type Output,
  output,
  secret,
  type Unwrap,
} from "@pulumi/pulumi";
import type { ResourceSpec } from "../../sdk";
import type { Camel } from "../inputs/casing";
import { deleteBeforeReplaceByDefault, DynamicResource, type OutputsOf } from "../dynamic";
import { variables } from "../inputs/variables";

/** Size and shape of an `external_container` deployment, as in the contract: CPU in cores, `…Mb` in MB, `…Gi` in GiB. */
export type ResourceSpecArgs = {
  [Name in keyof Camel<ResourceSpec>]: Input<NonNullable<Camel<ResourceSpec>[Name]>>;
};

/** Where the code comes from (contract, "SourceConfig"). */
export interface SourceConfigArgs {
  /** The git host's integration, a UUID. `git_host` needs it; another one replaces the deployment. */
  integrationId?: Input<string>;
  /** The git repository, without credentials. `git_host` needs it; another one replaces the deployment. */
  repoUrl?: Input<string>;
  /** `git_host` needs it; another one replaces the deployment. */
  deploymentType?: Input<"dev_free" | "dev" | "prod">;
  /** Makes a revision of each push to the branch; not with a tag. @default false */
  buildOnPush?: Input<boolean>;
  /** The URL to serve at; `external_container` only. */
  customUrl?: Input<string>;
  /** Size and shape; `external_container` only. */
  resourceSpec?: Input<ResourceSpecArgs>;
  /** The listener that places it, a UUID; `external_container` only. Another one replaces the deployment. */
  listenerId?: Input<string>;
  /** `external_container` only; another namespace replaces the deployment. */
  listenerConfig?: Input<{ k8sNamespace?: Input<string> }>;
  /** Run in the repository's root; found out from its files when left out. JavaScript only. */
  installCommand?: Input<string>;
  /** Run in the folder of the graph configuration. JavaScript only. */
  buildCommand?: Input<string>;
}

/** What a revision is made of (contract, "SourceRevisionConfig"); a change makes a new revision. */
export interface SourceRevisionConfigArgs {
  /** A branch's name alone, or a tag as `refs/tags/…`. `git_host` needs it. */
  repoRef?: Input<string>;
  /** Path of the graph configuration file in the repository. `git_host` needs it. */
  graphConfigPath?: Input<string>;
  /** `external_container` needs it. */
  imageUri?: Input<string>;
}

/** What to wait for after a revision was made. */
export interface WaitArgs {
  /**
   * `active`: the revision serves; `deployed`: the service has deployed it; `none`: the service has accepted it.
   * @default "active"
   */
  until?: Input<"active" | "deployed" | "none">;
  /** For the wait, and for the end of a deletion. @default agentserver:waitTimeoutSeconds, 1800 */
  timeoutSeconds?: Input<number>;
}

/** How the deployed agent server is checked. */
export interface SmokeCheckArgs {
  /** The agent server's own key, sent as `X-Api-Key`; always secret. The control plane's key is never sent there. */
  apiKey?: Input<string>;
  /** The graph that the thread is tied to. */
  graphId?: Input<string>;
  /** How long it may take until the server answers. @default 60 */
  timeoutSeconds?: Input<number>;
}

/** Arguments of a `Deployment`. */
export interface DeploymentArgs {
  /** The name on the service. Left out, one is derived: `<logical name>-<7 hex digits>`. Another one replaces. */
  name?: Input<string>;
  /** Where the code comes from. Another one replaces the deployment. */
  source: Input<"git_host" | "external_container" | "internal_container">;
  sourceConfig?: Input<SourceConfigArgs>;
  sourceRevisionConfig?: Input<SourceRevisionConfigArgs>;
  /** Environment variables that anyone may see. With `env` or `secrets` given, the program owns all variables. */
  env?: Input<Record<string, Input<string>>>;
  /** Environment variables that nobody may see: encrypted in the state, never shown. */
  secrets?: Input<Record<string, Input<string>>>;
  wait?: Input<WaitArgs>;
  /**
   * After an update whose revision failed: `keep` leaves things as they are, the old revision serves on where the
   * service keeps it; `rollback` makes one revision of the old values. Either way the update fails. `rollback` needs a tag
   * or an image, goes neither with `buildOnPush` nor with `wait.until: "none"`, and puts nothing back where the wait went
   * over more than one update: the old values are not known any more then.
   * @default "keep"
   */
  onFailure?: Input<"keep" | "rollback">;
  /**
   * After the revision serves: creates a thread at the deployment's URL, reads its state, and deletes it where that is
   * offered. @default none
   */
  smokeCheck?: Input<boolean | SmokeCheckArgs>;
  /** Adopts a deployment of exactly this name instead of failing. @default false */
  adoptExisting?: Input<boolean>;
  /** Any value; a change from one value to another makes a new revision though nothing else changed. */
  redeployOn?: Input<unknown>;
}

/** One revision in the outputs of a `Deployment`. */
export interface RevisionOutput {
  readonly id: string;
  readonly status: string;
  readonly createdAt: string | null;
  readonly repoRef: string | null;
  readonly repoCommitSha: string | null;
  readonly graphConfigPath: string | null;
  readonly imageUri: string | null;
}

/** How far the revision has come that this resource made last. */
export interface RolloutOutput {
  readonly revisionId: string | null;
  readonly state: "pending" | "done" | "failed";
}

/**
 * An agent server on the control plane, with its revisions. Creating waits until the first revision serves; a change of
 * the code, the image, the size or a variable makes exactly one new revision, and the old one serves until the new one
 * does. A field that the service never changes replaces the deployment: it is deleted first, and its threads and
 * database go with it.
 *
 * @example
 * ```ts
 * import * as pulumi from "@pulumi/pulumi";
 * import * as agentserver from "pulumi-agentserver";
 *
 * const config = new pulumi.Config();
 * const support = new agentserver.Deployment("support", {
 *   source: "git_host",
 *   sourceConfig: {
 *     integrationId: config.require("integrationId"),
 *     repoUrl: "https://git.example.com/acme/support.git",
 *     deploymentType: "dev",
 *   },
 *   sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },
 *   env: { LOG_LEVEL: "info" },
 *   secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
 * });
 * export const url = support.url;
 * ```
 */
export class Deployment extends DynamicResource {
  /** The name on the service. */
  declare readonly name: Output<string>;
  declare readonly source: Output<string>;
  declare readonly sourceConfig: Output<Record<string, unknown>>;
  declare readonly sourceRevisionConfig: Output<Record<string, unknown>>;
  declare readonly env: Output<Record<string, string> | undefined>;
  /** Always secret. */
  declare readonly secrets: Output<Record<string, string> | undefined>;
  /** The workspace that owns it. */
  declare readonly tenantId: Output<string>;
  /** The control plane that it lives on. */
  declare readonly baseUrl: Output<string>;
  /** The deployment's status; it says nothing of the newest revision. */
  declare readonly status: Output<string>;
  /** Where the agent server answers; null while the service has not said. */
  declare readonly url: Output<string>;
  /** ISO 8601. */
  declare readonly createdAt: Output<string>;
  /** ISO 8601. */
  declare readonly updatedAt: Output<string>;
  declare readonly imageVersion: Output<string | null>;
  declare readonly latestRevisionId: Output<string | null>;
  /** The revision that serves. */
  declare readonly activeRevisionId: Output<string | null>;
  /** The newest ten, newest first. */
  declare readonly revisions: Output<RevisionOutput[]>;
  /** The newest revision where it has failed, also one that a push made; null where it has not. */
  declare readonly failedRevision: Output<RevisionOutput | null>;
  declare readonly rollout: Output<RolloutOutput>;
  /** Whether the revision that this resource made last runs. */
  declare readonly ready: Output<boolean>;

  /**
   * Declares a deployment; wrong arguments are reported by the preview, all at once. Without arguments it must be one
   * that `options.id` names, as with `get`.
   */
  constructor(name: string, args: DeploymentArgs | undefined, options?: CustomResourceOptions) {
    const env = args?.env && variables(args.env);
    const secrets = args?.secrets && variables(args.secrets, secret);
    const smokeCheck = args?.smokeCheck !== undefined && {
      smokeCheck: output(args.smokeCheck).apply(withSecretKey),
    };
    // Replaced create-first, the old one still has the name: create must not take it over.
    const hidden = options?.deleteBeforeReplace === false && { __createFirst: true };
    // The engine does not say which values it holds on to: an update that tries again must not take them for declared.
    const ignored = options?.ignoreChanges && { __ignored: options.ignoreChanges };
    super(
      "Deployment",
      name,
      { ...EVERY_OUTPUT, ...args, env, secrets, ...smokeCheck, ...hidden, ...ignored },
      // A name is free only when the old one is gone.
      deleteBeforeReplaceByDefault({ additionalSecretOutputs: ["secrets"] }, options),
    );
    DEPLOYMENTS.set(this.url, this);
  }

  /** Reads a deployment that is there already, by its id, without managing it. Its variables are all in `secrets`. */
  static get(name: string, id: Input<ID>, options?: CustomResourceOptions): Deployment {
    return new Deployment(name, undefined, { ...options, id });
  }
}

const DEPLOYMENTS = new WeakMap<object, Deployment>();

/** The deployment of which this is the output `url`. */
export function deploymentAt(url: Input<string>): Deployment | undefined {
  return typeof url === "string" ? undefined : DEPLOYMENTS.get(url);
}

/** The key of an agent server is secret however it was given. */
function withSecretKey(check: boolean | Unwrap<SmokeCheckArgs>): Input<unknown> {
  if (typeof check === "boolean" || check.apiKey === undefined) return check;
  return { ...check, apiKey: secret(check.apiKey) };
}

const EVERY_OUTPUT: OutputsOf<Deployment> = {
  name: undefined,
  source: undefined,
  sourceConfig: undefined,
  sourceRevisionConfig: undefined,
  env: undefined,
  secrets: undefined,
  tenantId: undefined,
  baseUrl: undefined,
  status: undefined,
  url: undefined,
  createdAt: undefined,
  updatedAt: undefined,
  imageVersion: undefined,
  latestRevisionId: undefined,
  activeRevisionId: undefined,
  revisions: undefined,
  failedRevision: undefined,
  rollout: undefined,
  ready: undefined,
};
