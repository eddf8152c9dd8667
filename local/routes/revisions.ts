import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { Deployment, LogPage, LogType, Revision, RevisionsList } from "../../sdk/schema";
import { findDeployment, findLivingDeployment, redeploy } from "../deployments";
import { hasEnded } from "../machine";
import type { Env, Platform } from "../platform";
import { notFound, problem } from "../problems";
import type { StoredRevision } from "../store";
import { toDeployment, toRevision } from "../wire";
import { answer, or400, or409, Id, List, or404, Page, orRefused } from "./route";

const REVISIONS = "/v2/deployments/{deployment_id}/revisions";
const one = { params: z.object({ deployment_id: Id, revision_id: Id }) };

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
  request: one,
  responses: { 200: answer(Revision, "The revision"), ...or404, ...orRefused },
});

const logs = createRoute({
  method: "get",
  path: `${REVISIONS}/{revision_id}/logs`,
  request: {
    ...one,
    query: z.object({
      type: LogType,
      limit: z.coerce.number().int().min(1).max(1000).default(50),
      order: z.enum(["asc", "desc"]).default("asc"),
      offset: z
        .string()
        .regex(/^\d{1,12}$/, "should be a next_offset of this log")
        .optional(),
    }),
  },
  responses: { 200: answer(LogPage, "A page of the log"), ...or404, ...orRefused },
});

const again = createRoute({
  method: "post",
  path: `${REVISIONS}/{revision_id}/redeploy`,
  request: one,
  responses: {
    200: answer(Deployment, "The deployment with a new revision like this one"),
    ...or404,
    ...or409,
    ...orRefused,
  },
});

const interrupt = createRoute({
  method: "post",
  path: `${REVISIONS}/{revision_id}/interrupt`,
  request: one,
  responses: {
    200: answer(Revision, "The revision after its work has ended"),
    ...or400,
    ...or404,
    ...or409,
    ...orRefused,
  },
});

/** `/v2/deployments/{deployment_id}/revisions` and below. */
export function addRevisionRoutes(app: OpenAPIHono<Env>, platform: Platform): void {
  const { store, scheduler } = platform;
  const find = (deploymentId: string, revisionId: string): StoredRevision => {
    const revision = store.revisions.get(revisionId);
    if (revision?.deployment_id !== deploymentId)
      throw notFound(`revision of deployment ${deploymentId}`, revisionId);
    return revision;
  };
  app.openapi(list, (c) => {
    const { id } = findDeployment(platform, c.var.workspace, c.req.valid("param").deployment_id);
    const { limit, offset, status: statuses } = c.req.valid("query");
    const page = store.revisions.list(id, { limit, offset, statuses });
    return c.json({ resources: page.map(toRevision), offset: offset + page.length }, 200);
  });
  app.openapi(get, (c) => {
    const { deployment_id, revision_id } = c.req.valid("param");
    const { id } = findDeployment(platform, c.var.workspace, deployment_id);
    return c.json(toRevision(find(id, revision_id)), 200);
  });
  app.openapi(logs, async (c) => {
    const { deployment_id, revision_id } = c.req.valid("param");
    const { id: deploymentId } = findDeployment(platform, c.var.workspace, deployment_id);
    const { id: revisionId } = find(deploymentId, revision_id);
    const { type, limit, order, offset } = c.req.valid("query");
    const lines = await platform.logs.read({ deploymentId, revisionId, type });
    const start = offset === undefined ? undefined : Number(offset);
    return c.json(pageOf(lines, { limit, order, start }), 200);
  });
  app.openapi(again, (c) => {
    const { deployment_id, revision_id } = c.req.valid("param");
    const { id } = findDeployment(platform, c.var.workspace, deployment_id);
    const deployment = redeploy(platform, c.var.workspace, find(id, revision_id));
    return c.json(toDeployment(deployment), 200);
  });
  app.openapi(interrupt, async (c) => {
    const { deployment_id, revision_id } = c.req.valid("param");
    const { id } = findLivingDeployment(platform, c.var.workspace, deployment_id);
    const { status } = find(id, revision_id);
    if (status !== "INTERRUPTED" && hasEnded(status))
      throw problem(400, `revision ${revision_id} has ended already: ${status}`);
    await scheduler.interrupt(revision_id);
    return c.json(toRevision(find(id, revision_id)), 200);
  });
}

/**
 * A page of lines. The offset counts from the start of the log in either order: the next line in `asc`, the line after
 * the next one in `desc`, so that lines written meanwhile move nothing.
 */
function pageOf<Line>(
  lines: readonly Line[],
  page: { limit: number; order: "asc" | "desc"; start: number | undefined },
): { logs: Line[]; next_offset: string | null } {
  if (page.order === "asc") {
    const start = page.start ?? 0;
    const end = Math.min(start + page.limit, lines.length);
    return { logs: lines.slice(start, end), next_offset: end < lines.length ? `${end}` : null };
  }
  const end = Math.min(page.start ?? lines.length, lines.length);
  const start = Math.max(end - page.limit, 0);
  return { logs: lines.slice(start, end).toReversed(), next_offset: start > 0 ? `${start}` : null };
}
