import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import type { Dialect } from "../../../sdk/dialect";
import { findDeployment } from "../../control-plane/deployments";
import type { Platform } from "../../control-plane/platform";
import type { Env } from "../env";
import { createRevision, findRevision, interrupt, redeploy } from "../../control-plane/revisions";
import { requireJson } from "../validation";
import { toDeployment, toRevision } from "./wire";
import { Deployment, Revision, RevisionsList } from "./responses";
import { operationsOf } from "./description";
import { bodiesIn } from "./request-bodies";
import {
  jsonResponse,
  jsonBody,
  DeploymentId,
  listOf,
  revisionParams,
  or400,
  or404,
  or409,
  orBodyRejected,
  orRejected,
  listQuery,
  REVISIONS,
} from "./route";

const operation = operationsOf("Revisions");

const list = createRoute({
  ...operation("listRevisions", "Lists the revisions of a deployment, newest first"),
  method: "get",
  path: REVISIONS,
  request: {
    params: z.object({ deployment_id: DeploymentId }),
    query: listQuery({
      status: listOf(z.array(z.string())).optional().describe("Statuses, separated by commas"),
    }),
  },
  responses: { 200: jsonResponse(RevisionsList, "A page, newest first"), ...or404, ...orRejected },
});

const create = (dialect: Dialect) =>
  createRoute({
    ...operation("createRevision", "Creates a revision"),
    method: "post",
    path: REVISIONS,
    middleware: requireJson,
    request: {
      params: z.object({ deployment_id: DeploymentId }),
      body: jsonBody(bodiesIn(dialect).CreateRevision, {
        source_revision_config: { repo_ref: "main" },
      }),
    },
    responses: {
      201: jsonResponse(Revision, "The new revision"),
      ...or400,
      ...or404,
      ...or409,
      ...orBodyRejected,
    },
  });

const get = createRoute({
  ...operation("getRevision", "Gets a revision"),
  method: "get",
  path: `${REVISIONS}/{revision_id}`,
  request: revisionParams,
  responses: { 200: jsonResponse(Revision, "The revision"), ...or404, ...orRejected },
});

const redeployRoute = createRoute({
  ...operation("redeployRevision", "Creates a new revision like this one"),
  method: "post",
  path: `${REVISIONS}/{revision_id}/redeploy`,
  request: revisionParams,
  responses: {
    200: jsonResponse(Deployment, "The deployment, with a new revision like this one"),
    ...or400,
    ...or404,
    ...or409,
    ...orRejected,
  },
});

const interruptRoute = createRoute({
  ...operation("interruptRevision", "Ends the roll-out of a revision that is not deployed yet"),
  method: "post",
  path: `${REVISIONS}/{revision_id}/interrupt`,
  request: revisionParams,
  responses: {
    200: jsonResponse(Revision, "The interrupted revision"),
    ...or400,
    ...or404,
    ...or409,
    ...orRejected,
  },
});

/** `/v2/deployments/{deployment_id}/revisions` and the paths below, without the logs. */
export function addRevisionRoutes(app: OpenAPIHono<Env>, platform: Platform): void {
  app.openapi(list, (c) => {
    const { id } = findDeployment(platform, c.var.workspace, c.req.valid("param").deployment_id);
    const { limit, offset, status: statuses } = c.req.valid("query");
    const page = platform.store.revisions.list(id, { limit, offset, statuses });
    return c.json({ resources: page.map(toRevision), offset: offset + page.length }, 200);
  });
  app.openapi(create(platform.dialect), (c) => {
    const { deployment_id } = c.req.valid("param");
    const created = createRevision(platform, c.var.workspace, deployment_id, c.req.valid("json"));
    return c.json(toRevision(created), 201);
  });
  app.openapi(get, (c) => {
    const revision = findRevision(platform, c.var.workspace, c.req.valid("param"));
    return c.json(toRevision(revision), 200);
  });
  app.openapi(redeployRoute, (c) => {
    const deployment = redeploy(platform, c.var.workspace, c.req.valid("param"));
    return c.json(toDeployment(deployment, platform.dialect), 200);
  });
  app.openapi(interruptRoute, async (c) => {
    const revision = await interrupt(platform, c.var.workspace, c.req.valid("param"));
    return c.json(toRevision(revision), 200);
  });
}
