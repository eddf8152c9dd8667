import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { DeploymentType } from "../../../sdk/schema";
import {
  createDeployment,
  deleteDeployment,
  findDeployment,
  updateDeployment,
} from "../../control-plane/deployments";
import type { Platform } from "../../control-plane/platform";
import type { Env } from "../env";
import { requireJson } from "../validation";
import { toDeployment } from "./wire";
import { Deployment, DeploymentsList } from "./responses";
import { CreateDeployment, UpdateDeployment } from "./request-bodies";
import {
  jsonResponse,
  jsonBody,
  Flag,
  Id,
  List,
  or400,
  or404,
  or409,
  orBodyRejected,
  orRejected,
  Page,
} from "./route";

const byId = { params: z.object({ deployment_id: Id }) };

const list = createRoute({
  method: "get",
  path: "/v2/deployments",
  request: {
    query: z.object({
      ...Page,
      name_contains: z.string().optional(),
      status: z.string().optional(),
      remote_reconciled: Flag.optional(),
      tag_value_ids: List.optional(),
      image_version: z.string().optional(),
      deployment_type: DeploymentType.optional(),
      deployment_ids: List.optional(),
    }),
  },
  responses: { 200: jsonResponse(DeploymentsList, "A page, newest first"), ...orRejected },
});

const create = createRoute({
  method: "post",
  path: "/v2/deployments",
  middleware: requireJson,
  request: { body: jsonBody(CreateDeployment) },
  responses: {
    201: jsonResponse(Deployment, "The new deployment"),
    ...or400,
    ...or409,
    ...orBodyRejected,
  },
});

const get = createRoute({
  method: "get",
  path: "/v2/deployments/{deployment_id}",
  request: byId,
  responses: { 200: jsonResponse(Deployment, "The deployment"), ...or404, ...orRejected },
});

const update = createRoute({
  method: "patch",
  path: "/v2/deployments/{deployment_id}",
  middleware: requireJson,
  request: { ...byId, body: jsonBody(UpdateDeployment) },
  responses: {
    200: jsonResponse(Deployment, "The updated deployment"),
    ...or400,
    ...or404,
    ...or409,
    ...orBodyRejected,
  },
});

const remove = createRoute({
  method: "delete",
  path: "/v2/deployments/{deployment_id}",
  request: byId,
  responses: { 204: { description: "The deletion has started" }, ...or404, ...orRejected },
});

/** `/v2/deployments` and `/v2/deployments/{deployment_id}`. */
export function addDeploymentRoutes(app: OpenAPIHono<Env>, platform: Platform): void {
  app.openapi(list, (c) => {
    const query = c.req.valid("query");
    const filters = {
      nameContains: query.name_contains,
      status: query.status,
      remoteReconciled: query.remote_reconciled,
      tagValueIds: query.tag_value_ids,
      imageVersion: query.image_version,
      deploymentType: query.deployment_type,
      deploymentIds: query.deployment_ids,
    };
    const { limit, offset } = query;
    const page = platform.store.deployments.list(c.var.workspace.id, filters, limit, offset);
    return c.json({ resources: page.map(toDeployment), offset: offset + page.length }, 200);
  });
  app.openapi(create, (c) => {
    const created = createDeployment(platform, c.var.workspace, c.req.valid("json"));
    return c.json(toDeployment(created), 201);
  });
  app.openapi(get, (c) => {
    const { deployment_id } = c.req.valid("param");
    return c.json(toDeployment(findDeployment(platform, c.var.workspace, deployment_id)), 200);
  });
  app.openapi(update, (c) => {
    const { deployment_id } = c.req.valid("param");
    const changes = c.req.valid("json");
    const changed = updateDeployment(platform, c.var.workspace, deployment_id, changes);
    return c.json(toDeployment(changed), 200);
  });
  app.openapi(remove, (c) => {
    deleteDeployment(platform, c.var.workspace, c.req.valid("param").deployment_id);
    return c.body(null, 204);
  });
}
