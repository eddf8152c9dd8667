import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { ServerInfo } from "../../sdk/schema/thread";
import { requireKey } from "./authentication";
import { Conflict, InvalidRequest, NotFound, NotImplemented } from "./errors";
import { assistantRoutes } from "./assistant-routes";
import { openApiDocument } from "./openapi";
import { routes, type Stores } from "./routes";

const MAX_BODY_BYTES = 30 * 1024 * 1024;
/** What only the real servers have, by the paths below which it is. */
const MISSING = {
  "/threads/:thread_id/runs/crons/*": "crons",
  "/runs/crons/*": "crons",
  "/threads/:thread_id/runs/*": "runs",
  "/runs/*": "runs",
  "/threads/:thread_id/stream/*": "streams of threads",
  "/threads/:thread_id/commands": "commands for threads",
  "/threads/:thread_id/storage": "storage of threads",
  "/threads/prune": "pruning of threads",
  "/assistants/:assistant_id/subgraphs/*": "subgraphs",
  "/store/*": "store",
  "/ui/*": "components for pages",
  "/mcp/*": "MCP",
  "/a2a/*": "A2A",
};

/** The agent server's HTTP interface: authentication, limits, routes, errors. */
export function createApp(stores: Stores, info: ServerInfo, apiKey?: string): Hono {
  const app = new Hono();
  app.onError((error, context) => {
    const status = statusOf(error);
    const detail = status === 500 ? `Internal Server Error: ${error.message}` : error.message;
    return context.json({ detail }, status);
  });
  app.notFound((context) => context.json({ detail: "Not Found" }, 404));
  if (apiKey !== undefined) app.use(requireKey(apiKey));
  app.use(
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: (context) => context.json({ detail: "Payload Too Large" }, 413),
    }),
  );
  app.get("/openapi.json", ({ json }) => json(openApiDocument(apiKey !== undefined)));
  for (const [path, what] of Object.entries(MISSING))
    app.all(path, (context) => context.json({ detail: missing(what) }, 404));
  for (const [path, handlers] of Object.entries({
    ...routes(stores.threads, info),
    ...assistantRoutes(stores),
  })) {
    for (const [method, handler] of Object.entries(handlers)) app.on(method, path, handler);
    const Allow = Object.keys(handlers).join(", ");
    app.all(path, (context) => context.json({ detail: "Method Not Allowed" }, 405, { Allow }));
  }
  return app;
}

function statusOf(error: Error) {
  if (error instanceof NotFound) return 404;
  if (error instanceof Conflict) return 409;
  if (error instanceof NotImplemented) return 501;
  return error instanceof InvalidRequest ? 422 : 500;
}

function missing(what: string): string {
  return (
    `The built-in agent server stores threads and assistants and has no ${what}, as the real agent servers do: ` +
    "langgraph-api for graphs in Python, @langchain/langgraph-api for graphs in JavaScript or TypeScript."
  );
}
