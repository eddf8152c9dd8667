import type { Output } from "@pulumi/pulumi";
import type { AgentServer, SearchThreads, Thread } from "../../sdk";
import { type AgentServerArgs, lookUpThreads, type OutputArgs } from "./function";

/** Which thread. */
export interface GetThreadArgs extends AgentServerArgs {
  readonly threadId: string;
}

/** Which threads: those that match everything given (thread contract, "POST /threads/search"). */
export interface SearchThreadsArgs extends AgentServerArgs {
  /** What a thread's metadata must hold, at any depth. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly status?: "idle" | "busy" | "interrupted" | "error";
  /** @default "created_at" */
  readonly sortBy?: "thread_id" | "status" | "created_at" | "updated_at";
  /** @default "desc" */
  readonly sortOrder?: "asc" | "desc";
  /** At most so many. @default all */
  readonly limit?: number;
}

/** A thread as its agent server has it; names in metadata, configuration and values are the server's own. */
export interface GetThreadResult {
  readonly threadId: string;
  /** `idle`, `busy`, `interrupted` or `error`. */
  readonly status: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly config: Readonly<Record<string, unknown>>;
  /** Null where the server leaves them out here; `getThreadState` always has them. */
  readonly values: Readonly<Record<string, unknown>> | null;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly updatedAt: string;
}

/**
 * Looks up a thread by its id.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * export = async () => {
 *   const { url: deploymentUrl } = await agentserver.getDeployment({ name: "support" });
 *   if (deploymentUrl === null) return {};
 *   const threadId = "5f0c1f9e-0c5b-4c3a-9d57-1a2b3c4d5e6f";
 *   const { status } = await agentserver.getThread({ deploymentUrl, threadId });
 *   return { status };
 * };
 * ```
 */
export function getThread(args: GetThreadArgs): Promise<GetThreadResult> {
  return one.plain(args);
}

/** As `getThread`, with arguments that may be outputs. */
export function getThreadOutput(args: OutputArgs<GetThreadArgs>): Output<GetThreadResult> {
  return one.output(args);
}

/**
 * Looks up the threads that match, newest first unless told.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * const support = agentserver.Deployment.get("support", "11111111-1111-4111-8111-111111111111");
 * const fixtures = agentserver.searchThreadsOutput({
 *   deploymentUrl: support.url,
 *   metadata: { fixture: "demo" },
 * });
 * export const threadIds = fixtures.apply((threads) => threads.map(({ threadId }) => threadId));
 * ```
 */
export function searchThreads(args: SearchThreadsArgs): Promise<GetThreadResult[]> {
  return every.plain(args);
}

/** As `searchThreads`, with arguments that may be outputs. */
export function searchThreadsOutput(
  args: OutputArgs<SearchThreadsArgs>,
): Output<GetThreadResult[]> {
  return every.output(args);
}

const one = lookUpThreads({
  name: "getThread",
  schema: ({ GetThread }) => GetThread,
  find: async ({ thread_id: threadId }, { client }) => toResult(await client.threads.get(threadId)),
});

const every = lookUpThreads({
  name: "searchThreads",
  schema: ({ FindThreads }) => FindThreads,
  find: async ({ deployment_url: _url, limit, ...filter }, { client }) =>
    (await findAll(client, filter, limit)).map(toResult),
});

/** The largest page of a search that the servers give. */
const PAGE_THREADS = 1000;

/** Page by page; what a new thread moves to the next page is taken once. */
async function findAll(
  { threads }: AgentServer,
  filter: Partial<SearchThreads>,
  most = Number.POSITIVE_INFINITY,
): Promise<Thread[]> {
  const limit = Math.min(most, PAGE_THREADS);
  const found = new Map<string, Thread>();
  for (let offset = 0; found.size < most; offset += limit) {
    const page = await threads.search({ ...filter, limit, offset });
    for (const thread of page) found.set(thread.thread_id, thread);
    if (page.length < limit) break;
  }
  return [...found.values()].slice(0, most);
}

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
