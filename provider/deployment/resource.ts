import { type CustomResourceOptions, type ID, type Input, type Output } from "@pulumi/pulumi";
import type { SecretReference } from "../../sdk/schema";
import type { ResourceSpec, SourceConfig, SourceRevisionConfig } from "../../sdk";
import { providersNamedBy } from "../program/provider";
import { AgentServerResource, type NullableOutput, type OutputsOf } from "../program/resource";
import type { Camel } from "../arguments/casing";
import { comparable } from "../program/comparable";
import { variables } from "../arguments/variables";
import { RESOURCE_TYPES } from "../resource-types";
import type {
  DeploymentArgs,
  SecretReferenceArgs,
  SourceConfigArgs,
  SourceRevisionConfigArgs,
} from "./declared/arguments";
import type { ResourceSpecArgs } from "./declared/resource-spec-arguments";

/** The members of `Args`, with their comments, as the service answers with them; undefined where they are not set. */
type AnswerOf<Args, Wire> = {
  readonly [Name in keyof Args]-?: Name extends keyof Wire
    ? Exclude<Wire[Name], null> | undefined
    : never;
};

/** Size and shape in the outputs of a `Deployment`; null where the service has no value. */
export type ResourceSpecOutput = {
  readonly [Name in keyof ResourceSpecArgs]-?: Camel<ResourceSpec>[Name];
};

/** `sourceConfig` in the outputs of a `Deployment`: the members that the program sets; after `get` all of them. */
export interface SourceConfigOutput extends AnswerOf<
  Omit<SourceConfigArgs, "resourceSpec">,
  Camel<SourceConfig>
> {
  /** Size and shape. */
  readonly resourceSpec: ResourceSpecOutput | undefined;
}

/** `sourceRevisionConfig` in the outputs of a `Deployment`: the members that the program sets; after `get` all of them. */
export interface SourceRevisionConfigOutput extends AnswerOf<
  Omit<SourceRevisionConfigArgs, "repoCommitSha">,
  Camel<SourceRevisionConfig>
> {
  /** Of a resource the commit that the program expects, of a function's result that of the latest revision. */
  readonly repoCommitSha: string | undefined;
}

/** A variable from a Kubernetes Secret in the outputs of a `Deployment`. */
export type SecretReferenceOutput = AnswerOf<SecretReferenceArgs, Camel<SecretReference>>;

/** One revision in the outputs of a `Deployment`. */
export interface RevisionOutput {
  /** A UUID. */
  readonly id: string;
  /** The service's status: `BUILDING`, `DEPLOYED`, `BUILD_FAILED`, and others. */
  readonly status: string;
  /** ISO 8601. */
  readonly createdAt: string | null;
  /** The branch or tag, or the commit that the service resolved it to; null for an image. */
  readonly repoRef: string | null;
  /** The commit; null for an image. */
  readonly repoCommitSha: string | null;
  /** The path of the graph configuration; null for an image. */
  readonly graphConfigPath: string | null;
  /** The container image; null where the service does not report one. */
  readonly imageUri: string | null;
}

/** A revision that has served, in the outputs of a `Deployment`. */
export interface LastGoodRevisionOutput {
  /** A UUID. */
  readonly id: string;
  /** The branch or tag, or the commit that the service resolved it to; null for an image. */
  readonly repoRef: string | null;
  /** The commit, 40 hexadecimal digits; null for an image. */
  readonly repoCommitSha: string | null;
  /** The container image; null where the service does not report one. */
  readonly imageUri: string | null;
}

/** The progress of the revision that this resource created last. */
export interface RolloutOutput {
  /** A UUID; null where the service reported no revision. */
  readonly revisionId: string | null;
  /** `pending` and `failed` make the next `pulumi up` act. */
  readonly state: "pending" | "done" | "failed";
}

/**
 * An agent server on the control plane, with its revisions. A create waits until the first revision serves. A change of
 * the code, the image, the size or a variable creates exactly one new revision; the old one serves until the new one
 * does. A change of a field that the service can't change replaces the deployment: the old one is deleted first, with its
 * threads and its database.
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
export class Deployment extends AgentServerResource {
  /** @internal */
  protected static override readonly kind = RESOURCE_TYPES.Deployment;

  /** The name on the service, also where it is derived. */
  declare readonly name: Output<string>;
  /** Null where the program does not set it. */
  declare readonly displayName: Output<string | null>;
  /** The source of the code: a `DeploymentSource`. */
  declare readonly source: Output<string>;
  /** Null where the program does not set it. */
  declare readonly sourceConfig: NullableOutput<SourceConfigOutput>;
  /** Null where the program does not set it. */
  declare readonly sourceRevisionConfig: NullableOutput<SourceRevisionConfigOutput>;
  /** Null where the program does not set it. */
  declare readonly env: NullableOutput<Record<string, string>>;
  /** Always secret. Null where the program does not set it; after `get` all variables. */
  declare readonly secrets: NullableOutput<Record<string, string>>;
  /** Null where the program does not set it. */
  declare readonly secretReferences: Output<SecretReferenceOutput[] | null>;
  /** The workspace that owns the deployment, a UUID. */
  declare readonly tenantId: Output<string>;
  /** The URL of the control plane that the deployment lives on. */
  declare readonly baseUrl: Output<string>;
  /** The deployment's status: `READY`, `AWAITING_DATABASE`, and others. It says nothing of the newest revision. */
  declare readonly status: Output<string>;
  /**
   * The URL of the agent server. A deployment that serves has one. With `wait.until: "none"`, and after `get`, it may be null
   * at run time: a variable or a `deploymentUrl` that is set to it is then refused.
   */
  declare readonly url: Output<string>;
  /** ISO 8601. */
  declare readonly createdAt: Output<string>;
  /** ISO 8601. */
  declare readonly updatedAt: Output<string>;
  /** Null where the service reports none. */
  declare readonly imageVersion: Output<string | null>;
  /** The newest revision, a UUID. After an update its own one, also where another client has created a newer one since. */
  declare readonly latestRevisionId: Output<string>;
  /** The revision that serves, a UUID. At run time null while none does, which may be with `wait.until: "none"` and after `get`. */
  declare readonly activeRevisionId: Output<string>;
  /** The newest ten, newest first. */
  declare readonly revisions: Output<RevisionOutput[]>;
  /** The newest revision if it has failed, also one that a push created; else null. */
  declare readonly failedRevision: NullableOutput<RevisionOutput>;
  /**
   * The revision to go back to: the newest of `revisions` with status `DEPLOYED` when `rollout` was last `done`. While a
   * roll-out is pending or has failed, also its smoke check, it stays the one from before. A revision that a push or another
   * client created counts after `pulumi refresh`. Null where none has served.
   */
  declare readonly lastGoodRevision: NullableOutput<LastGoodRevisionOutput>;
  /** The progress of the revision that this resource created last. */
  declare readonly rollout: Output<RolloutOutput>;
  /** Whether the revision that this resource created last has done what `wait` asks for. */
  declare readonly ready: Output<boolean>;

  /**
   * Declares a deployment. The preview reports all wrong arguments at once. `args` is undefined only where `options.id`
   * names a deployment to read, as `get` does.
   */
  constructor(name: string, args: DeploymentArgs | undefined, options?: CustomResourceOptions) {
    const env = args?.env && variables(args.env);
    const secrets = args?.secrets && variables(args.secrets);
    const redeployOn = comparable("redeployOn", args?.redeployOn);
    const smokeCheck = comparable("smokeCheck", args?.smokeCheck);
    const plain = { env, secrets, redeployOn, smokeCheck };
    super(name, { ...EVERY_OUTPUT, ...args, ...plain }, options);
    DEPLOYMENTS.set(this.url, { deployment: this, providers: providersNamedBy(options ?? {}) });
  }

  /** Reads an existing deployment by its id, without managing it. */
  static get(name: string, id: Input<ID>, options?: CustomResourceOptions): Deployment {
    return new this(name, undefined, { ...options, id });
  }
}

const DEPLOYMENTS = new WeakMap<object, { deployment: Deployment; providers: unknown[] }>();

/** The deployment of which this is the output `url`, if a resource with these options is asked about it in its workspace. */
export function deploymentAt(
  url: Input<string | null>,
  options: CustomResourceOptions = {},
): Deployment | undefined {
  const found = typeof url === "object" && url !== null ? DEPLOYMENTS.get(url) : undefined;
  return found?.providers[0] === providersNamedBy(options)[0] ? found?.deployment : undefined;
}

const EVERY_OUTPUT: OutputsOf<Deployment> = {
  name: undefined,
  displayName: undefined,
  source: undefined,
  sourceConfig: undefined,
  sourceRevisionConfig: undefined,
  env: undefined,
  secrets: undefined,
  secretReferences: undefined,
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
  lastGoodRevision: undefined,
  rollout: undefined,
  ready: undefined,
};
