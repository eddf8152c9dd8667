import { once } from "node:events";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { proxy } from "hono/proxy";
import { AgentServer, NotFound } from "../../sdk";
import { AssistantId } from "../../sdk/schema";
import { recordOf, textOf } from "../../shared/records";
import { cronsOf } from "./crons";

/**
 * A stand-in for the runs and crons that the built-in agent server does not have: the answer of each run is the model in its
 * assistant's context, at once. All else is the built-in server's.
 */
export async function startRuns(target: string, now: () => number) {
  const crons = cronsOf(now);
  const { assistants } = new AgentServer({ url: target });
  const app = new Hono()
    .get("/info", (c) => c.json({ version: "1", flags: {} }))
    .on("POST", ["/runs/wait", "/threads/:id/runs/wait"], async (c) => {
      const id = textOf(recordOf(await c.req.json())["assistant_id"]) ?? "";
      try {
        // A graph's name is that of its default assistant, which has no context.
        const isDefault = !AssistantId.safeParse(id).success;
        const { context } = isDefault ? { context: {} } : await assistants.get(id);
        const content = textOf(recordOf(context)["model"]) ?? "";
        return c.json({ messages: [{ type: "ai", content }] });
      } catch (error) {
        if (error instanceof NotFound) return c.json({ detail: "assistant not found" }, 404);
        throw error;
      }
    })
    .on(["POST", "GET", "PATCH", "DELETE"], ["/runs/crons", "/runs/crons/:id"], async (c) => {
      const said = crons(c.req.method, c.req.path, await c.req.text());
      const headers = { "content-type": "application/json", date: new Date(now()).toUTCString() };
      const body = said?.values === undefined ? null : JSON.stringify(said.values);
      return new Response(body, { status: said?.status ?? 404, headers });
    })
    .all("*", (c) => {
      const { pathname, search } = new URL(c.req.url);
      return proxy(target + pathname + search, { raw: c.req.raw });
    });
  const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 });
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}
