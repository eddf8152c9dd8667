import type { CustomResourceOptions, ID, Input, Output } from "@pulumi/pulumi";
import { withPlain } from "../program/comparable";
import { deploymentAt } from "../deployment/resource";
import { AgentServerResource, type NullableOutput, type OutputsOf } from "../program/resource";
import type { GateArgs } from "../gate/arguments";
import { RESOURCE_TYPES } from "../resource-types";

/** The configuration of an assistant's runs. */
export interface AssistantConfigArgs {
  /**
   * The tags of each run, for tracing.
   * @default none
   */
  tags?: Input<Input<string>[]> | undefined;
  /**
   * The most steps of a run before it fails.
   * @default the graph's
   */
  recursionLimit?: Input<number | undefined>;
  /**
   * The older form of `context`, for graphs that read `config["configurable"]`. It cannot be combined with `context`.
   * @default none
   */
  configurable?: Input<Record<string, unknown>> | undefined;
}

/** The configuration of an assistant's runs in the outputs of an `Assistant`. */
export interface AssistantConfigOutput {
  /** The tags of each run; undefined where the program sets none. */
  readonly tags: string[] | undefined;
  /** The most steps of a run; undefined where the program does not set it. */
  readonly recursionLimit: number | undefined;
  /** The older form of `context`; undefined where the program does not set it. */
  readonly configurable: Readonly<Record<string, unknown>> | undefined;
}

/** Arguments of an `Assistant`. */
export interface AssistantArgs {
  /** The URL of the agent server: the output `url` of a `Deployment`; null is refused. Another one replaces the assistant. */
  deploymentUrl: Input<string | null>;
  /**
   * The deployment of the agent server, a UUID. With it, the assistant counts as deleted when its server does not answer and
   * the deployment is deleted; without it, that is an error. A change sends nothing.
   * @default the deployment whose output `url` is `deploymentUrl`, where it has the same provider
   */
  deploymentId?: Input<string | undefined>;
  /**
   * The agent server's own key, sent as `X-Api-Key`; one that begins with `Bearer ` or `Basic ` as `Authorization`. Always
   * secret. The control plane's key is never sent there. A change sends nothing.
   * @default none
   */
  apiKey?: Input<string | undefined>;
  /**
   * The id on the agent server, a UUID. Another one replaces the assistant.
   * @default derived from the project, the stack and the names of the resource and its parents; a renamed resource keeps it
   */
  assistantId?: Input<string | undefined>;
  /** The graph that it runs, by its name in the graph configuration. A change is sent in place. */
  graphId: Input<string>;
  /**
   * The name that users see. It need not be unique. A change is sent in place.
   * @default the resource's name; of a default assistant the graph's, which the Python server sets again at each start
   */
  name?: Input<string | undefined>;
  /**
   * The description. A change is sent in place.
   * @default none
   */
  description?: Input<string | undefined>;
  /**
   * The configuration of its runs. A change is sent in place, together with `context`.
   * @default the server's is left alone
   */
  config?: Input<AssistantConfigArgs> | undefined;
  /**
   * The values that the graph reads: a prompt, a model, the names of tools. Any members. A change is sent in place. The
   * server shows them in clear to whoever may read it, in runs and in each version: name a variable of the deployment
   * rather than a secret's value.
   * @default the server's is left alone
   */
  context?: Input<Record<string, unknown>> | undefined;
  /**
   * Any members; each run has them too. A change is sent in place. A member that is removed becomes null on the server,
   * which has no way to remove it.
   * @default none
   */
  metadata?: Input<Record<string, unknown>> | undefined;
  /**
   * An earlier version whose `name`, `description`, `config` and `context` are used: they are sent again as a new version.
   * It excludes these arguments.
   * @default none
   */
  activeVersion?: Input<number | undefined>;
  /**
   * Runs that new values must pass before they are sent: of a temporary assistant, which is deleted afterwards. Asked at a
   * create, and at a change of `graphId`, `config`, `context` or `activeVersion`. On a failure nothing changes. A change of
   * the gate itself sends nothing.
   * @default none
   */
  gate?: Input<GateArgs> | undefined;
  /**
   * Adopts an assistant that exists with this id instead of failing, unless another resource of the stack has it. What
   * differs is sent. A change sends nothing.
   * @default false
   */
  adoptExisting?: Input<boolean | undefined>;
  /**
   * Deletes the threads of its runs with it. A change sends nothing.
   * @default false
   */
  deleteThreads?: Input<boolean | undefined>;
  /**
   * Deletes it also while its threads are busy, and with the crons that run it. A change sends nothing.
   * @default false
   */
  forceDelete?: Input<boolean | undefined>;
}

/**
 * A graph of an agent server with its configuration: a prompt, a model, tools. Each change is one new version, and no change
 * sends nothing. The agent server's own default assistants can be adopted and changed; they are never created or deleted.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * const support = new agentserver.Deployment("support", {
 *   source: "external_container",
 *   sourceRevisionConfig: { imageUri: "registry.example.com/support:1" },
 * });
 * const german = new agentserver.Assistant("support-de", {
 *   deploymentUrl: support.url,
 *   graphId: "agent",
 *   description: "German tier 1",
 *   context: { model: "m-large", prompt: "Antworte kurz." },
 *   metadata: { team: "support" },
 * });
 * export const version = german.version;
 * ```
 */
export class Assistant extends AgentServerResource {
  /** @internal */
  protected static override readonly kind = RESOURCE_TYPES.Assistant;

  /** The URL of the agent server. */
  declare readonly deploymentUrl: Output<string>;
  /** The deployment of the agent server, a UUID; null where none is known. */
  declare readonly deploymentId: Output<string | null>;
  /** The agent server's own key. Always secret. Null where the program does not set it. */
  declare readonly apiKey: Output<string | null>;
  /** The id on the agent server, a UUID; the same as `id`. */
  declare readonly assistantId: Output<string>;
  /** The graph that it runs. */
  declare readonly graphId: Output<string>;
  /** The name that users see; null with `activeVersion`. */
  declare readonly name: Output<string | null>;
  /** The description; null where the program does not set it. */
  declare readonly description: Output<string | null>;
  /** The configuration of its runs; null where the program does not set it. */
  declare readonly config: NullableOutput<AssistantConfigOutput>;
  /** The values that the graph reads; null where the program sets none. */
  declare readonly context: NullableOutput<Record<string, unknown>>;
  /** The members that the program sets; null where it sets none. */
  declare readonly metadata: NullableOutput<Record<string, unknown>>;
  /** The earlier version whose values are used; null where the program does not set it. */
  declare readonly activeVersion: Output<number | null>;
  /** Whether an existing assistant is adopted; null where the program does not set it. */
  declare readonly adoptExisting: Output<boolean | null>;
  /** Whether the threads of its runs are deleted with it; null where the program does not set it. */
  declare readonly deleteThreads: Output<boolean | null>;
  /** Whether it is deleted while it is in use; null where the program does not set it. */
  declare readonly forceDelete: Output<boolean | null>;
  /** The version in use at the last `pulumi up` or `pulumi refresh`, from 1. */
  declare readonly version: Output<number>;
  /** ISO 8601. */
  declare readonly createdAt: Output<string>;
  /** ISO 8601, at the last `pulumi up` or `pulumi refresh`. */
  declare readonly updatedAt: Output<string>;

  /** Declares an assistant. The preview reports all wrong arguments at once. */
  constructor(name: string, args: AssistantArgs, options?: CustomResourceOptions) {
    const deploymentId = args.deploymentId ?? deploymentAt(args.deploymentUrl, options)?.id;
    const plain = withPlain(args, ["config", "context", "metadata", "gate"]);
    super(name, { ...EVERY_OUTPUT, ...plain, deploymentId }, options);
  }

  /** Reads an existing assistant by its id and its server, without managing it. */
  static get(
    name: string,
    id: Input<ID>,
    server: Pick<AssistantArgs, "deploymentUrl" | "apiKey">,
    options?: CustomResourceOptions,
  ): Assistant {
    // What is read has the server's graph, and the engine checks none of it.
    return new this(name, { ...server, graphId: "" }, { ...options, id });
  }
}

const EVERY_OUTPUT: OutputsOf<Assistant> = {
  deploymentUrl: undefined,
  deploymentId: undefined,
  apiKey: undefined,
  assistantId: undefined,
  graphId: undefined,
  name: undefined,
  description: undefined,
  config: undefined,
  context: undefined,
  metadata: undefined,
  activeVersion: undefined,
  adoptExisting: undefined,
  deleteThreads: undefined,
  forceDelete: undefined,
  version: undefined,
  createdAt: undefined,
  updatedAt: undefined,
};
