import {
  type CustomResourceOptions,
  type ID,
  type Input,
  type Output,
  secret,
} from "@pulumi/pulumi";
import { deploymentAt } from "../deployment/resource";
import { deleteBeforeReplaceByDefault, DynamicResource, type OutputsOf } from "../dynamic";

/** What a node of the graph is taken to have written. */
export interface UpdateArgs {
  /** `messages` are added to the conversation, every other key is overwritten. */
  values: Input<Record<string, unknown>>;
  /** The node; `__input__` and `__start__` stand for the input and the first message (thread contract, "Superstep"). */
  asNode: Input<string>;
}

/** One step of the conversation: the updates that its nodes wrote. */
export interface SuperstepArgs {
  updates: Input<Input<UpdateArgs>[]>;
}

/** Arguments of a `Thread`. */
export interface ThreadArgs {
  /** The agent server's address: the output `url` of a `Deployment`. Another one replaces the thread. */
  deploymentUrl: Input<string>;
  /**
   * The deployment of that agent server. With it a thread counts as gone where its server does not answer and the
   * deployment is gone; without it that is an error. @default the deployment whose output `url` is given
   */
  deploymentId?: Input<string>;
  /** The agent server's own key, sent as `X-Api-Key`; always secret. The control plane's key is never sent there. */
  apiKey?: Input<string>;
  /** The graph that the thread is tied to; the real servers want one for supersteps. Another one replaces the thread. */
  graphId?: Input<string>;
  /** Free-form; changed in place. */
  metadata?: Input<Record<string, unknown>>;
  /** Builds the thread's state, in order. Others replace the thread. */
  supersteps?: Input<Input<SuperstepArgs>[]>;
  /** The id of a thread on the same server to copy, with its history, instead of `supersteps`. Another one replaces. */
  copyFrom?: Input<string>;
}

/**
 * A conversation on a deployed agent server: a fixture that a demo or a test finds there. What people say in it later is
 * theirs: only its metadata is compared. A replaced thread is deleted first.
 *
 * @example
 * ```ts
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
export class Thread extends DynamicResource {
  declare readonly deploymentUrl: Output<string>;
  declare readonly deploymentId: Output<string | undefined>;
  /** Always secret. */
  declare readonly apiKey: Output<string | undefined>;
  declare readonly graphId: Output<string | undefined>;
  declare readonly metadata: Output<Record<string, unknown> | undefined>;
  declare readonly supersteps: Output<unknown[] | undefined>;
  declare readonly copyFrom: Output<string | undefined>;
  /** The same as `id`. */
  declare readonly threadId: Output<string>;
  /** `idle`, `busy`, `interrupted` or `error`. */
  declare readonly status: Output<string>;
  /** The newest state's name at the last `pulumi up` or `pulumi refresh`; null for an empty thread. */
  declare readonly checkpointId: Output<string | null>;
  /** ISO 8601. */
  declare readonly createdAt: Output<string>;
  /** ISO 8601; as of the same time as `checkpointId`. */
  declare readonly updatedAt: Output<string>;

  /** Declares a thread; wrong arguments are reported by the preview, all at once. */
  constructor(name: string, args: ThreadArgs, options?: CustomResourceOptions) {
    const deploymentId = args.deploymentId ?? deploymentAt(args.deploymentUrl)?.id;
    const apiKey = args.apiKey === undefined ? undefined : secret(args.apiKey);
    // Replaced create-first, the old one still has the id that it would be given.
    const hidden = options?.deleteBeforeReplace === false && { __createFirst: true };
    super(
      "Thread",
      name,
      { ...EVERY_OUTPUT, ...args, deploymentId, apiKey, ...hidden },
      deleteBeforeReplaceByDefault({ additionalSecretOutputs: ["apiKey"] }, options),
    );
  }

  /** Reads a thread that is there already, by its id and its server, without managing it. */
  static get(
    name: string,
    id: Input<ID>,
    server: Pick<ThreadArgs, "deploymentUrl" | "apiKey">,
    options?: CustomResourceOptions,
  ): Thread {
    return new Thread(name, server, { ...options, id });
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
  checkpointId: undefined,
  createdAt: undefined,
  updatedAt: undefined,
};
