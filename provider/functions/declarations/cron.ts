import type { Cron } from "../../../sdk";
import { camelKeys, snakeKeys } from "../../arguments/casing";
import { RESOURCE_TYPES } from "../../resource-types";
import { collect } from "../list";
import type { AgentServerFunction } from "../invoke";
import type { AgentServerArgs } from "./thread";

/** Arguments of `getCron`. */
export interface GetCronArgs extends AgentServerArgs {
  /** The id of the cron, a UUID. */
  readonly cronId: string;
}

/** Arguments of `searchCrons`: the crons match every filter that is set. */
export interface SearchCronsArgs extends AgentServerArgs {
  /**
   * The assistant that they run, a UUID.
   * @default any
   */
  readonly assistantId?: string | undefined;
  /**
   * The thread of their runs, a UUID.
   * @default any
   */
  readonly threadId?: string | undefined;
  /**
   * Members that a cron's metadata contains, at any depth.
   * @default any
   */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /**
   * The most crons to return.
   * @default all
   */
  readonly limit?: number | undefined;
}

/** A cron on its agent server. */
export interface GetCronResult {
  /** A UUID. */
  readonly cronId: string;
  /** The assistant that it runs, a UUID. */
  readonly assistantId: string;
  /** The thread of its runs, a UUID; null where each has a new one. */
  readonly threadId: string | null;
  /** When it fires: five fields, or six of which the last is the seconds. */
  readonly schedule: string;
  /** An IANA name. */
  readonly timezone: string;
  /** Whether it fires. */
  readonly enabled: boolean;
  /** The input of each run; null for none. */
  readonly input: unknown;
  /** The configuration of runs, with the server's names. */
  readonly config: Readonly<Record<string, unknown>>;
  /** The values that the graph reads. */
  readonly context: Readonly<Record<string, unknown>>;
  /** Set by the programs that created and changed it. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** `delete` or `keep`; null for a cron on a thread. */
  readonly onRunCompleted: string | null;
  /** The nodes before which each run is interrupted, or `*`; null for none. */
  readonly interruptBefore: unknown;
  /** The nodes after which each run is interrupted, or `*`; null for none. */
  readonly interruptAfter: unknown;
  /** `sync`, `async` or `exit`; null for the server's default. */
  readonly durability: string | null;
  /** `reject`, `rollback`, `interrupt` or `enqueue`; null for the server's default. */
  readonly multitaskStrategy: string | null;
  /** The URL that the server calls after each run; null for none. */
  readonly webhook: string | null;
  /** ISO 8601; null for never. */
  readonly endTime: string | null;
  /** ISO 8601; null where the server does not say. */
  readonly nextRunDate: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly updatedAt: string;
}

export const getCron: AgentServerFunction<GetCronArgs, GetCronResult> = {
  name: "getCron",
  service: "agent server",
  list: undefined,
  secretMembers: RESOURCE_TYPES.Cron.secrets.outputs,
  schema: ({ deploymentUrl, uuid }) => ({ deploymentUrl, cronId: uuid }),
  find: async ({ cronId }, { client }) => camelKeys<Cron>(await client.crons.get(cronId)),
};

export const searchCrons: AgentServerFunction<SearchCronsArgs, GetCronResult[]> = {
  name: "searchCrons",
  service: "agent server",
  list: "crons",
  secretMembers: RESOURCE_TYPES.Cron.secrets.outputs,
  schema: ({ z, uuid, wire, deploymentUrl }) => ({
    deploymentUrl,
    assistantId: uuid.optional(),
    threadId: uuid.optional(),
    metadata: wire.CountCrons.shape.metadata,
    limit: z.int().min(1).optional(),
  }),
  async find({ deploymentUrl: _url, limit, ...filter }, { client }) {
    const found = await collect(client.crons.searchAll(snakeKeys(filter)), limit);
    return found.map((cron) => camelKeys<Cron>(cron));
  },
};
