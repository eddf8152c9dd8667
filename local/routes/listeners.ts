import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { Listener, ListenersList } from "../../sdk/schema";
import type { Env, Platform } from "../platform";
import { notFound } from "../problems";
import { answer, Id, or404, Page, orRefused } from "./route";

const list = createRoute({
  method: "get",
  path: "/v2/listeners",
  request: { query: z.object(Page) },
  responses: { 200: answer(ListenersList, "A page, newest first"), ...orRefused },
});

const get = createRoute({
  method: "get",
  path: "/v2/listeners/{listener_id}",
  request: { params: z.object({ listener_id: Id }) },
  responses: { 200: answer(Listener, "The listener"), ...or404, ...orRefused },
});

/** `/v2/listeners` and `/v2/listeners/{listener_id}`. */
export function addListenerRoutes(app: OpenAPIHono<Env>, { store }: Platform): void {
  app.openapi(list, (c) => {
    const { limit, offset } = c.req.valid("query");
    const resources = store.listeners.list(c.var.workspace.id, limit, offset);
    return c.json({ resources, offset: offset + resources.length }, 200);
  });
  app.openapi(get, (c) => {
    const { listener_id } = c.req.valid("param");
    const listener = store.listeners.get(c.var.workspace.id, listener_id);
    if (!listener) throw notFound("listener", listener_id);
    return c.json(listener, 200);
  });
}
