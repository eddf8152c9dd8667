import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { createRevision } from "../../control-plane/deployments";
import { findDeployment, findRevision } from "../../control-plane/lookups";
import type { Env, Platform } from "../../platform/platform";
import { interrupt, redeploy } from "../../control-plane/revisions";
import { requireJson } from "../validation";
import { toDeployment, toRevision } from "../../control-plane/wire";
import { Deployment, Revision, RevisionsList } from "./answers";
import { CreateRevision } from "./bodies";
import {
  answer,
  body,
  Id,
  List,
  oneRevision,
  or400,
  or404,
  or409,
  orBodyRefused,
  orRefused,
  Page,
  REVISIONS,
} from "./route";

const list = createRoute({
  method: "get",
  path: REVISIONS,
  request: {
    params: z.object({ deployment_id: Id }),
    query: z.object({ ...Page, status: List.optional() }),
  },
  responses: { 200: answer(RevisionsList, "A page, newest first"), ...or404, ...orRefused },
});

const create = createRoute({
  method: "post",
  path: REVISIONS,
  middleware: requireJson,
  request: { params: z.object({ deployment_id: Id }), body: body(CreateRevision) },
  responses: {
    201: answer(Revision, "The new revision"),
    ...or400,
    ...or404,
    ...or409,
    ...orBodyRefused,
  },
});

const get = createRoute({
  method: "get",
  path: `${REVISIONS}/{revision_id}`,
  request: oneRevision,
  responses: { 200: answer(Revision, "The revision"), ...or404, ...orRefused },
});

const again = createRoute({
  method: "post",
  path: `${REVISIONS}/{revision_id}/redeploy`,
  request: oneRevision,
  responses: {
    200: answer(Deployment, "The deployment with a new revision like this one"),
    ...or404,
    ...or409,
    ...orRefused,
  },
});

const stop = createRoute({
  method: "post",
  path: `${REVISIONS}/{revision_id}/interrupt`,
  request: oneRevision,
  responses: {
    200: answer(Revision, "The revision after its work has ended"),
    ...or400,
    ...or404,
    ...or409,
    ...orRefused,
  },
});

/** `/v2/deployments/{deployment_id}/revisions` and below, without the logs. */
export function addRevisionRoutes(app: OpenAPIHono<Env>, platform: Platform): void {
  app.openapi(list, (c) => {
    const { id } = findDeployment(platform, c.var.workspace, c.req.valid("param").deployment_id);
    const { limit, offset, status: statuses } = c.req.valid("query");
    const page = platform.store.revisions.list(id, { limit, offset, statuses });
    return c.json({ resources: page.map(toRevision), offset: offset + page.length }, 200);
  });
  app.openapi(create, (c) => {
    const { deployment_id } = c.req.valid("param");
    const made = createRevision(platform, c.var.workspace, deployment_id, c.req.valid("json"));
    return c.json(toRevision(made), 201);
  });
  app.openapi(get, (c) => {
    const revision = findRevision(platform, c.var.workspace, c.req.valid("param"));
    return c.json(toRevision(revision), 200);
  });
  app.openapi(again, (c) => {
    const deployment = redeploy(platform, c.var.workspace, c.req.valid("param"));
    return c.json(toDeployment(deployment), 200);
  });
  app.openapi(stop, async (c) => {
    const revision = await interrupt(platform, c.var.workspace, c.req.valid("param"));
    return c.json(toRevision(revision), 200);
  });
}
