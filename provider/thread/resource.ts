import { type CustomResourceOptions, type ID, type Input, type Output } from "@pulumi/pulumi";
import { withPlain } from "../program/comparable";
import { deploymentAt } from "../deployment/resource";
import { AgentServerResource, type NullableOutput, type OutputsOf } from "../program/resource";
import { RESOURCE_TYPES } from "../resource-types";

/** A write of one node of the graph (thread contract, "Superstep"). */
export interface UpdateArgs {
  /** The values by key: `messages` are appended to the conversation, every other key is overwritten. */
  values: Input<Record<string, unknown>>;
  /** The node that writes; `__input__` stands for the graph's input, `__start__` for the first message. */
  asNode: Input<string>;
}

/** One step of the conversation (thread contract, "Superstep"). */
export interface SuperstepArgs {
  /** The writes of the step's nodes. */
  updates: Input<Input<UpdateArgs>[]>;
}

/** One step of the conversation in the outputs of a `Thread`. */
export interface SuperstepOutput {
  /** The writes of the step's nodes. */
  readonly updates: {
    /** The values by key. */
    readonly values: Readonly<Record<string, unknown>>;
    /** The node that writes. */
    readonly asNode: string;
  }[];
}

/** Arguments of a `Thread`. */
export interface ThreadArgs {
  /** The URL of the agent server: the output `url` of a `Deployment`; null is refused. Another one replaces the thread. */
  deploymentUrl: Input<string | null>;
  /**
   * The deployment of the agent server, a UUID. With it, the thread counts as deleted when its server does not answer and
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
   * The graph that the thread is tied to. The real servers require one for `supersteps`. Another one replaces the thread.
   * @default none
   */
  graphId?: Input<string | undefined>;
  /**
   * Any members. A change is sent in place.
   * @default none
   */
  metadata?: Input<Record<string, unknown>> | undefined;
  /**
   * The steps that build the thread's state, in order. A change replaces the thread.
   * @default none: the thread is empty
   */
  supersteps?: Input<Input<SuperstepArgs>[]> | undefined;
  /**
   * The id of a thread on the same server to copy, with its history; excludes `supersteps`. Another one replaces the thread.
   * @default none
   */
  copyFrom?: Input<string | undefined>;
}

/**
 * A conversation on a deployed agent server: a fixture for a demo or a test. After the create only its metadata is
 * compared: what people add to the conversation is not drift. A replaced thread is deleted first.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * const support = new agentserver.Deployment("support", {
 *   source: "external_container",
 *   sourceRevisionConfig: { imageUri: "registry.example.com/support:1" },
 * });
 * const fixture = new agentserver.Thread("fixture", {
 *   deploymentUrl: support.url,
 *   graphId: "agent",
 *   supersteps: [
 *     { updates: [{ asNode: "__input__", values: {} }] },
 *     { updates: [{ asNode: "__start__", values: { messages: [{ type: "human", content: "Where is my order?" }] } }] },
 *     { updates: [{ asNode: "agent", values: { messages: [{ type: "ai", content: "On its way." }] } }] },
 *   ],
 * });
 * export const threadId = fixture.threadId;
 * ```
 */
export class Thread extends AgentServerResource {
  /** @internal */
  protected static override readonly kind = RESOURCE_TYPES.Thread;

  /** The URL of the agent server. */
  declare readonly deploymentUrl: Output<string>;
  /** The deployment of the agent server, a UUID; null where none is known. */
  declare readonly deploymentId: Output<string | null>;
  /** The agent server's own key. Always secret. Null where the program does not set it. */
  declare readonly apiKey: Output<string | null>;
  /** The graph that the thread is tied to; null where the program does not set it. */
  declare readonly graphId: Output<string | null>;
  /** The members that the program sets; null where it sets none. */
  declare readonly metadata: NullableOutput<Record<string, unknown>>;
  /** The steps that the program sets; null where it sets none. */
  declare readonly supersteps: Output<SuperstepOutput[] | null>;
  /** The thread that was copied; null where the program does not set it. */
  declare readonly copyFrom: Output<string | null>;
  /** The id on the agent server, a UUID; the same as `id`. */
  declare readonly threadId: Output<string>;
  /** `idle`, `busy`, `interrupted` or `error`. */
  declare readonly status: Output<string>;
  /**
   * The configuration of the thread's graph at the last `pulumi up` or `pulumi refresh`: runs set it, and it may hold
   * their keys. Always secret.
   */
  declare readonly config: Output<Record<string, unknown>>;
  /** The id of the newest state at the last `pulumi up` or `pulumi refresh`; null for an empty thread. */
  declare readonly checkpointId: Output<string | null>;
  /** ISO 8601. */
  declare readonly createdAt: Output<string>;
  /** ISO 8601, at the last `pulumi up` or `pulumi refresh`. */
  declare readonly updatedAt: Output<string>;

  /** Declares a thread. The preview reports all wrong arguments at once. */
  constructor(name: string, args: ThreadArgs, options?: CustomResourceOptions) {
    const deploymentId = args.deploymentId ?? deploymentAt(args.deploymentUrl, options)?.id;
    const plain = withPlain(args, ["metadata", "supersteps"]);
    super(name, { ...EVERY_OUTPUT, ...plain, deploymentId }, options);
  }

  /** Reads an existing thread by its id and its server, without managing it. */
  static get(
    name: string,
    id: Input<ID>,
    server: Pick<ThreadArgs, "deploymentUrl" | "apiKey">,
    options?: CustomResourceOptions,
  ): Thread {
    return new this(name, server, { ...options, id });
  }
}

const EVERY_OUTPUT: OutputsOf<Thread> = {
  deploymentUrl: undefined,
  deploymentId: undefined,
  apiKey: undefined,
  graphId: undefined,
  metadata: undefined,
  supersteps: undefined,
  copyFrom: undefined,
  threadId: undefined,
  status: undefined,
  config: undefined,
  checkpointId: undefined,
  createdAt: undefined,
  updatedAt: undefined,
};
