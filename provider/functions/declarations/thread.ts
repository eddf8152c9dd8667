import type { SearchThreads, Thread } from "../../../sdk";
import type { Optional } from "../../../sdk/call";
import { snakeKeys } from "../../arguments/casing";
import { RESOURCE_TYPES } from "../../resource-types";
import { collect } from "../list";
import type { AgentServerFunction } from "../invoke";

/** The agent server that a function calls. */
export interface AgentServerArgs {
  /** The URL of the agent server: the output `url` of a `Deployment`. */
  readonly deploymentUrl: string;
  /**
   * The agent server's own key, sent as `X-Api-Key`; one that begins with `Bearer ` or `Basic ` as `Authorization`. It does
   * not make the result secret. The control plane's key is never sent.
   * @default no key
   */
  readonly apiKey?: string | undefined;
}

/** Arguments of `getThread`. */
export interface GetThreadArgs extends AgentServerArgs {
  /** The id of the thread, a UUID. */
  readonly threadId: string;
}

/** Arguments of `searchThreads`: the threads match every filter that is set (thread contract, "POST /threads/search"). */
export interface SearchThreadsArgs extends AgentServerArgs {
  /**
   * Members that a thread's metadata contains, at any depth.
   * @default any
   */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /**
   * The status of the thread.
   * @default any
   */
  readonly status?: "idle" | "busy" | "interrupted" | "error" | undefined;
  /**
   * The property that the threads are sorted by.
   * @default "created_at"
   */
  readonly sortBy?: "thread_id" | "status" | "created_at" | "updated_at" | undefined;
  /**
   * The order of the threads.
   * @default "desc"
   */
  readonly sortOrder?: "asc" | "desc" | undefined;
  /**
   * The most threads to return.
   * @default all
   */
  readonly limit?: number | undefined;
}

/** A thread on its agent server. Names in metadata, configuration and values are unchanged. */
export interface GetThreadResult {
  /** A UUID. */
  readonly threadId: string;
  /** `idle`, `busy`, `interrupted` or `error`. */
  readonly status: string;
  /** Set by the programs that created and changed the thread. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The configuration of the thread's graph. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Null where the agent server does not return them with a thread. `getThreadState` always has them. */
  readonly values: Readonly<Record<string, unknown>> | null;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly updatedAt: string;
}

export const getThread: AgentServerFunction<GetThreadArgs, GetThreadResult> = {
  name: "getThread",
  service: "agent server",
  list: undefined,
  secretMembers: RESOURCE_TYPES.Thread.secrets.outputs,
  schema: ({ deploymentUrl, uuid }) => ({ deploymentUrl, threadId: uuid }),
  find: async ({ threadId }, { client }) => toResult(await client.threads.get(threadId)),
};

export const searchThreads: AgentServerFunction<SearchThreadsArgs, GetThreadResult[]> = {
  name: "searchThreads",
  service: "agent server",
  list: "threads",
  secretMembers: RESOURCE_TYPES.Thread.secrets.outputs,
  schema: ({ z, wire, deploymentUrl }) => ({
    deploymentUrl,
    metadata: wire.SearchThreads.shape.metadata,
    status: wire.SearchThreads.shape.status,
    sortBy: wire.SearchThreads.shape.sort_by.unwrap().optional(),
    sortOrder: wire.SearchThreads.shape.sort_order.unwrap().optional(),
    limit: z.int().min(1).optional(),
  }),
  async find({ deploymentUrl: _url, ...filter }, { client }) {
    const threads = client.threads.searchAll(snakeKeys<Optional<SearchThreads>>(filter));
    return (await collect(threads, filter.limit)).map(toResult);
  },
};

function toResult(thread: Thread): GetThreadResult {
  return {
    threadId: thread.thread_id,
    status: thread.status,
    metadata: thread.metadata,
    config: thread.config ?? {},
    values: thread.values ?? null,
    createdAt: thread.created_at,
    updatedAt: thread.updated_at,
  };
}
