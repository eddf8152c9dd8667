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
import { NotFound } from "./errors";
import { parse } from "./parse";
import { bodyOf } from "./request";
import type { Threads } from "./threads";

type Handler = (context: Context) => Response | Promise<Response>;

/** History's default limit of the real server's GET; its POST has another, which the schema holds. */
const GET_HISTORY_LIMIT = "10";

/** What is served, by path and method: each handler reads its request, makes one call on the threads and answers JSON. */
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
        const page = threads.search(await bodyOf(context, SearchThreads));
        context.header("X-Pagination-Total", `${page.total}`);
        if (page.next !== undefined) context.header("X-Pagination-Next", `${page.next}`);
        return context.json(page.threads);
      },
    },
    "/threads/count": {
      POST: async (context) => context.json(threads.count(await bodyOf(context, CountThreads))),
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
 * The real servers take any `graph_id` for an empty thread, but give no state to a thread whose graph they do not have: a
 * fixture with a misspelt graph must not pass here and fail there. A server that was told no graphs can't judge.
 */
function refuseUnknownGraph({ metadata, supersteps }: CreateThread, graphs: string[]): void {
  const graphId = metadata?.["graph_id"];
  if (!supersteps?.length || typeof graphId !== "string" || graphs.length === 0) return;
  if (!graphs.includes(graphId))
    throw new NotFound(`Graph '${graphId}' not found; this server has: ${graphs.join(", ")}`);
}
