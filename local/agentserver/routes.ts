import type { Context } from "hono";
import {
  CountThreads,
  CreateThread,
  SearchThreads,
  type ServerInfo,
  StateAtCheckpoint,
  ThreadHistory,
  ThreadId,
  UpdateState,
  UpdateThread,
} from "../../sdk/schema/thread";
import type { Assistants } from "./assistants";
import { requireGraph } from "./graphs";
import { parse } from "./parse";
import { bodyOf } from "./request";
import type { Threads } from "./threads";

export type Handler = (context: Context) => Response | Promise<Response>;

/** What a server keeps. */
export interface Stores {
  readonly threads: Threads;
  readonly assistants: Assistants;
}

/** The real server's default limit for GET; that for POST differs and is in the schema. */
const GET_HISTORY_LIMIT = "10";

/** The handlers by path and method: each parses its request, calls `threads` once and responds with JSON. */
export function routes(
  threads: Threads,
  info: ServerInfo,
): Record<string, Record<string, Handler>> {
  return {
    "/ok": { GET: (context) => context.json({ ok: true }) },
    "/info": { GET: (context) => context.json(info) },
    "/threads": {
      POST: async (context) => {
        const request = await bodyOf(context, CreateThread);
        refuseUnknownGraph(request, info.graphs);
        return context.json(threads.create(request));
      },
    },
    "/threads/search": {
      POST: async (context) => {
        const page = await threads.search(await bodyOf(context, SearchThreads));
        context.header("X-Pagination-Total", `${page.total}`);
        if (page.next !== undefined) context.header("X-Pagination-Next", `${page.next}`);
        return context.json(page.threads);
      },
    },
    "/threads/count": {
      POST: async (context) =>
        context.json(await threads.count(await bodyOf(context, CountThreads))),
    },
    "/threads/:thread_id": {
      GET: (context) => context.json(threads.get(threadId(context))),
      PATCH: async (context) =>
        context.json(threads.update(threadId(context), await bodyOf(context, UpdateThread))),
      DELETE: (context) => {
        threads.delete(threadId(context));
        return context.body(null, 204);
      },
    },
    "/threads/:thread_id/copy": {
      POST: (context) => context.json(threads.copy(threadId(context))),
    },
    "/threads/:thread_id/state": {
      GET: (context) => context.json(threads.state(threadId(context))),
      POST: async (context) =>
        context.json(threads.updateState(threadId(context), await bodyOf(context, UpdateState))),
    },
    "/threads/:thread_id/state/checkpoint": {
      POST: async (context) => {
        const { checkpoint } = await bodyOf(context, StateAtCheckpoint);
        return context.json(threads.state(threadId(context), checkpoint.checkpoint_id));
      },
    },
    "/threads/:thread_id/state/:checkpoint_id": {
      GET: (context) =>
        context.json(threads.state(threadId(context), context.req.param("checkpoint_id"))),
    },
    "/threads/:thread_id/history": {
      POST: async (context) =>
        context.json(threads.history(threadId(context), await bodyOf(context, ThreadHistory))),
      GET: (context) => {
        const { limit = GET_HISTORY_LIMIT, before } = context.req.query();
        const query = parse(ThreadHistory, { limit: Number(limit), before });
        return context.json(threads.history(threadId(context), query));
      },
    },
  };
}

function threadId(context: Context): string {
  return parse(ThreadId, context.req.param("thread_id"));
}

/**
 * Refuses supersteps for an unknown graph, as the real servers do, which accept any `graph_id` for an empty thread. A
 * server that knows no graphs accepts all.
 */
function refuseUnknownGraph({ metadata, supersteps }: CreateThread, graphs: string[]): void {
  const graphId = metadata?.["graph_id"];
  if (supersteps?.length && typeof graphId === "string") requireGraph(graphId, graphs);
}
