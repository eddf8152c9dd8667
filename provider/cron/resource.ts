import type { CustomResourceOptions, ID, Input, Output } from "@pulumi/pulumi";
import { withPlain } from "../program/comparable";
import type { AssistantConfigArgs, AssistantConfigOutput } from "../assistant/resource";
import { deploymentAt } from "../deployment/resource";
import { AgentServerResource, type NullableOutput, type OutputsOf } from "../program/resource";
import { RESOURCE_TYPES } from "../resource-types";

/** Arguments of a `Cron`. */
export interface CronArgs {
  /** The URL of the agent server: the output `url` of a `Deployment`; null is refused. Another one replaces the cron. */
  deploymentUrl: Input<string | null>;
  /**
   * The deployment of the agent server, a UUID. With it, the cron counts as deleted when its server does not answer and
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
   * The assistant that it runs, a UUID: the output `assistantId` of an `Assistant`. Another one replaces the cron.
   * @default the default assistant of `graphId`
   */
  assistantId?: Input<string | undefined>;
  /**
   * The graph whose default assistant it runs, where `assistantId` is not set. Another one replaces the cron.
   * @default none
   */
  graphId?: Input<string | undefined>;
  /**
   * The thread on which all its runs work, a UUID: the output `threadId` of a `Thread`. It is deleted with the thread. Another
   * one replaces the cron.
   * @default each run has a new thread
   */
  threadId?: Input<string | undefined>;
  /**
   * When it fires: minute, hour, day of the month, month, day of the week, such as `0 9 * * 1-5`. A sixth field, the last, is
   * the seconds. A change is sent in place.
   */
  schedule: Input<string>;
  /**
   * The time zone of the schedule, an IANA name such as `Europe/Berlin`. A change is sent in place.
   * @default "UTC"
   */
  timezone?: Input<string | undefined>;
  /**
   * Whether it fires. One that is enabled again waits for its next time. A change is sent in place.
   * @default true
   */
  enabled?: Input<boolean | undefined>;
  /**
   * The input of each run, such as `{ messages: [{ role: "user", content: "Report." }] }`. A change is sent in place; a
   * removal replaces the cron.
   * @default none
   */
  input?: Input<Record<string, unknown>> | undefined;
  /**
   * The configuration of its runs. A change is sent in place.
   * @default the assistant's
   */
  config?: Input<AssistantConfigArgs> | undefined;
  /**
   * Values that the graph reads in the place of the assistant's, key by key. A change is sent in place. The server shows them
   * in clear to whoever may read it.
   * @default the assistant's
   */
  context?: Input<Record<string, unknown>> | undefined;
  /**
   * Any members; its runs and their threads have them too. A change is sent in place. A member that is removed becomes null
   * on the server, which has no way to remove it.
   * @default none
   */
  metadata?: Input<Record<string, unknown>> | undefined;
  /**
   * What happens to the thread of a run after it: `delete` leaves no trace of the run. A change is sent in place.
   * @default "delete"; a thread of `threadId` stays
   */
  onRunCompleted?: Input<"delete" | "keep" | undefined>;
  /**
   * The nodes before which each run is interrupted. A change is sent in place.
   * @default none
   */
  interruptBefore?: Input<Input<string>[]> | undefined;
  /**
   * The nodes after which each run is interrupted. A change is sent in place.
   * @default none
   */
  interruptAfter?: Input<Input<string>[]> | undefined;
  /**
   * When the states of a run are saved: before each step goes on, meanwhile, or at its end. A change is sent in place.
   * @default "async"
   */
  durability?: Input<"sync" | "async" | "exit" | undefined>;
  /**
   * What happens at a firing while a run is on the thread of `threadId`. Another one replaces the cron.
   * @default "enqueue"
   */
  multitaskStrategy?: Input<"reject" | "rollback" | "interrupt" | "enqueue" | undefined>;
  /**
   * The URL that the server calls after each run. A change is sent in place; a removal replaces the cron.
   * @default none
   */
  webhook?: Input<string | undefined>;
  /**
   * When it stops, in ISO 8601 with an offset. Refused while the server's version has a defect: one enabled cron with an end
   * time stops all crons of the server. A change is sent in place.
   * @default never
   */
  endTime?: Input<string | undefined>;
  /**
   * Adopts a cron that carries the mark of this resource and that no state records, instead of failing. What differs is
   * sent. A change sends nothing.
   * @default false
   */
  adoptExisting?: Input<boolean | undefined>;
}

/**
 * A schedule by which an agent server runs an assistant by itself. Python servers keep crons; the JavaScript server and the
 * local platform's built-in one do not. The server chooses the id, so the resource finds its own by a mark in the metadata
 * and never creates a second one.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * const support = new agentserver.Deployment("support", {
 *   source: "external_container",
 *   sourceRevisionConfig: { imageUri: "registry.example.com/support:1" },
 * });
 * const digest = new agentserver.Cron("digest", {
 *   deploymentUrl: support.url,
 *   graphId: "agent",
 *   schedule: "0 9 * * 1-5",
 *   timezone: "Europe/Berlin",
 *   input: { messages: [{ role: "user", content: "Sum up the open tickets." }] },
 * });
 * export const next = digest.nextRunDate;
 * ```
 */
export class Cron extends AgentServerResource {
  /** @internal */
  protected static override readonly kind = RESOURCE_TYPES.Cron;

  /** The URL of the agent server. */
  declare readonly deploymentUrl: Output<string>;
  /** The deployment of the agent server, a UUID; null where none is known. */
  declare readonly deploymentId: Output<string | null>;
  /** The agent server's own key. Always secret. Null where the program does not set it. */
  declare readonly apiKey: Output<string | null>;
  /** The assistant that it runs; null where the program does not set it. */
  declare readonly assistantId: Output<string | null>;
  /** The graph whose default assistant it runs; null where the program does not set it. */
  declare readonly graphId: Output<string | null>;
  /** The thread of its runs; null where each has a new one. */
  declare readonly threadId: Output<string | null>;
  /** When it fires. */
  declare readonly schedule: Output<string>;
  /** The time zone of the schedule; null where the program does not set it. */
  declare readonly timezone: Output<string | null>;
  /** Whether it fires; null where the program does not set it. */
  declare readonly enabled: Output<boolean | null>;
  /** The input of each run; null where the program sets none. */
  declare readonly input: NullableOutput<Record<string, unknown>>;
  /** The configuration of its runs; null where the program does not set it. */
  declare readonly config: NullableOutput<AssistantConfigOutput>;
  /** The values that the graph reads; null where the program sets none. */
  declare readonly context: NullableOutput<Record<string, unknown>>;
  /** The members that the program sets; null where it sets none. */
  declare readonly metadata: NullableOutput<Record<string, unknown>>;
  /** What happens to the thread of a run; null where the program does not set it. */
  declare readonly onRunCompleted: Output<string | null>;
  /** The nodes before which each run is interrupted; null where the program sets none. */
  declare readonly interruptBefore: Output<string[] | null>;
  /** The nodes after which each run is interrupted; null where the program sets none. */
  declare readonly interruptAfter: Output<string[] | null>;
  /** When the states of a run are saved; null where the program does not set it. */
  declare readonly durability: Output<string | null>;
  /** What happens at a firing while a run is on the thread; null where the program does not set it. */
  declare readonly multitaskStrategy: Output<string | null>;
  /** The URL that the server calls after each run; null where the program sets none. */
  declare readonly webhook: Output<string | null>;
  /** When it stops, in ISO 8601; null where the program does not set it. */
  declare readonly endTime: Output<string | null>;
  /** Whether an existing cron is adopted; null where the program does not set it. */
  declare readonly adoptExisting: Output<boolean | null>;
  /** The id on the agent server, a UUID; the same as `id`. */
  declare readonly cronId: Output<string>;
  /** When it fires next, in ISO 8601, at the last `pulumi up` or `pulumi refresh`; null where the server does not say. */
  declare readonly nextRunDate: Output<string | null>;
  /**
   * The status of its last run at the last update or `pulumi refresh`, such as `success` or `error`; null where none is left,
   * as after `onRunCompleted: "delete"`.
   */
  declare readonly lastRunStatus: Output<string | null>;
  /** ISO 8601. */
  declare readonly createdAt: Output<string>;
  /** ISO 8601, at the last `pulumi up` or `pulumi refresh`. */
  declare readonly updatedAt: Output<string>;

  /** Declares a cron. The preview reports all wrong arguments at once, and says when it fires next. */
  constructor(name: string, args: CronArgs, options?: CustomResourceOptions) {
    const deploymentId = args.deploymentId ?? deploymentAt(args.deploymentUrl, options)?.id;
    const plain = withPlain(args, ["input", "config", "context", "metadata"]);
    super(name, { ...EVERY_OUTPUT, ...plain, deploymentId }, options);
  }

  /** Reads an existing cron by its id and its server, without managing it. */
  static get(
    name: string,
    id: Input<ID>,
    server: Pick<CronArgs, "deploymentUrl" | "apiKey">,
    options?: CustomResourceOptions,
  ): Cron {
    // What is read has the server's schedule, and the engine checks none of it.
    return new this(name, { ...server, schedule: "" }, { ...options, id });
  }
}

const EVERY_OUTPUT: OutputsOf<Cron> = {
  deploymentUrl: undefined,
  deploymentId: undefined,
  apiKey: undefined,
  assistantId: undefined,
  graphId: undefined,
  threadId: undefined,
  schedule: undefined,
  timezone: undefined,
  enabled: undefined,
  input: undefined,
  config: undefined,
  context: undefined,
  metadata: undefined,
  onRunCompleted: undefined,
  interruptBefore: undefined,
  interruptAfter: undefined,
  durability: undefined,
  multitaskStrategy: undefined,
  webhook: undefined,
  endTime: undefined,
  adoptExisting: undefined,
  cronId: undefined,
  nextRunDate: undefined,
  lastRunStatus: undefined,
  createdAt: undefined,
  updatedAt: undefined,
};
