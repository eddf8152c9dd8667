import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import {
  createListener,
  deleteListener,
  findListener,
  updateListener,
} from "../../control-plane/listeners";
import type { Env, Platform } from "../../platform/platform";
import { requireJson } from "../validation";
import { toListener } from "../../control-plane/wire";
import { Listener, ListenersList } from "./answers";
import { CreateListener, UpdateListener } from "./bodies";
import { answer, body, Id, or400, or404, or409, orBodyRefused, orRefused, Page } from "./route";

const one = { params: z.object({ listener_id: Id }) };

const list = createRoute({
  method: "get",
  path: "/v2/listeners",
  request: { query: z.object(Page) },
  responses: { 200: answer(ListenersList, "A page, newest first"), ...orRefused },
});

const get = createRoute({
  method: "get",
  path: "/v2/listeners/{listener_id}",
  request: one,
  responses: { 200: answer(Listener, "The listener"), ...or404, ...orRefused },
});

const create = createRoute({
  method: "post",
  path: "/v2/listeners",
  middleware: requireJson,
  request: { body: body(CreateListener) },
  responses: { 201: answer(Listener, "The new listener"), ...or400, ...or409, ...orBodyRefused },
});

const update = createRoute({
  method: "patch",
  path: "/v2/listeners/{listener_id}",
  middleware: requireJson,
  request: { ...one, body: body(UpdateListener) },
  responses: {
    200: answer(Listener, "The changed listener"),
    ...or400,
    ...or404,
    ...orBodyRefused,
  },
});

const remove = createRoute({
  method: "delete",
  path: "/v2/listeners/{listener_id}",
  request: one,
  responses: { 204: { description: "It is gone" }, ...or404, ...or409, ...orRefused },
});

/** `/v2/listeners` and `/v2/listeners/{listener_id}`. */
export function addListenerRoutes(app: OpenAPIHono<Env>, platform: Platform): void {
  const { store } = platform;
  app.openapi(list, (c) => {
    const { limit, offset } = c.req.valid("query");
    const resources = store.listeners.list(c.var.workspace.id, limit, offset);
    return c.json({ resources: resources.map(toListener), offset: offset + resources.length }, 200);
  });
  app.openapi(get, (c) => {
    const { listener_id } = c.req.valid("param");
    return c.json(toListener(findListener(store, c.var.workspace, listener_id)), 200);
  });
  app.openapi(create, (c) => {
    const created = createListener(platform, c.var.workspace, c.req.valid("json"));
    return c.json(toListener(created), 201);
  });
  app.openapi(update, (c) => {
    const { listener_id } = c.req.valid("param");
    const changes = c.req.valid("json");
    const changed = updateListener(platform, c.var.workspace, listener_id, changes);
    return c.json(toListener(changed), 200);
  });
  app.openapi(remove, (c) => {
    deleteListener(platform, c.var.workspace, c.req.valid("param").listener_id);
    return c.body(null, 204);
  });
}
