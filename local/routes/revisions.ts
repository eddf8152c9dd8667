import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { Deployment, Revision, RevisionsList } from "../../sdk/schema";
import { findDeployment, findRevision } from "../lookups";
import type { Env, Platform } from "../platform";
import { interrupt, redeploy } from "../revisions";
import { toDeployment, toRevision } from "../wire";
import {
  answer,
  Id,
  List,
  oneRevision,
  or400,
  or404,
  or409,
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
