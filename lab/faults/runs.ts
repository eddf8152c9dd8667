import { once } from "node:events";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { proxy } from "hono/proxy";
import { AgentServer, NotFound } from "../../sdk";
import { recordOf, textOf } from "../../shared/records";

/**
 * A stand-in for the runs that the built-in agent server does not have: the answer of each is the model in its assistant's
 * context, at once. All else is the built-in server's.
 */
export async function startRuns(target: string) {
  const { assistants } = new AgentServer({ url: target });
  const app = new Hono()
    .get("/info", (c) => c.json({ version: "1", flags: {} }))
    .on("POST", ["/runs/wait", "/threads/:id/runs/wait"], async (c) => {
      const id = textOf(recordOf(await c.req.json())["assistant_id"]) ?? "";
      try {
        const { context } = await assistants.get(id);
        const content = textOf(recordOf(context)["model"]) ?? "";
        return c.json({ messages: [{ type: "ai", content }] });
      } catch (error) {
        if (error instanceof NotFound) return c.json({ detail: "assistant not found" }, 404);
        throw error;
      }
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
