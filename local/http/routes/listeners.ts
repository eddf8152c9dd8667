import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import {
  createListener,
  deleteListener,
  findListener,
  updateListener,
} from "../../control-plane/listeners";
import type { Platform } from "../../control-plane/platform";
import type { Env } from "../env";
import { requireJson } from "../validation";
import { toListener } from "./wire";
import { Listener, ListenersList } from "./responses";
import { linksTo, operationsOf } from "./description";
import { CreateListener, UpdateListener } from "./request-bodies";
import {
  jsonResponse,
  jsonBody,
  Id,
  or400,
  or404,
  or409,
  orBodyRejected,
  orRejected,
  listQuery,
} from "./route";

const operation = operationsOf("Listeners");
const byId = { params: z.object({ listener_id: Id.describe("The listener's id") }) };

const list = createRoute({
  ...operation("listListeners", "Lists the listeners of the workspace, newest first"),
  method: "get",
  path: "/v2/listeners",
  request: { query: listQuery({}) },
  responses: { 200: jsonResponse(ListenersList, "A page, newest first"), ...orRejected },
});

const get = createRoute({
  ...operation("getListener", "Gets a listener"),
  method: "get",
  path: "/v2/listeners/{listener_id}",
  request: byId,
  responses: { 200: jsonResponse(Listener, "The listener"), ...or404, ...orRejected },
});

const create = createRoute({
  ...operation("createListener", "Creates a listener for a Kubernetes cluster"),
  method: "post",
  path: "/v2/listeners",
  middleware: requireJson,
  request: {
    body: jsonBody(CreateListener, {
      compute_type: "k8s",
      compute_id: "eu-cluster",
      compute_config: { k8s_namespaces: ["agents"] },
    }),
  },
  responses: {
    201: {
      ...jsonResponse(Listener, "The new listener"),
      ...linksTo(["getListener", "updateListener", "deleteListener"], {
        listener_id: "$response.body#/id",
      }),
    },
    ...or400,
    ...or409,
    ...orBodyRejected,
  },
});

const update = createRoute({
  ...operation("updateListener", "Changes a listener"),
  method: "patch",
  path: "/v2/listeners/{listener_id}",
  middleware: requireJson,
  request: {
    ...byId,
    body: jsonBody(UpdateListener, {
      compute_config: { k8s_namespaces: ["agents", "staging"] },
    }),
  },
  responses: {
    200: jsonResponse(Listener, "The updated listener"),
    ...or400,
    ...or404,
    ...orBodyRejected,
  },
});

const remove = createRoute({
  ...operation("deleteListener", "Deletes a listener that no deployment uses"),
  method: "delete",
  path: "/v2/listeners/{listener_id}",
  request: byId,
  responses: { 204: { description: "The listener is deleted" }, ...or404, ...or409, ...orRejected },
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
