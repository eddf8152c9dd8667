import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { LogType } from "../../sdk/schema";
import { findRevision } from "../lookups";
import type { Env, Platform } from "../platform";
import { LogPage } from "./answers";
import { answer, oneRevision, or404, orRefused, REVISIONS } from "./route";

const get = createRoute({
  method: "get",
  path: `${REVISIONS}/{revision_id}/logs`,
  request: {
    ...oneRevision,
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

/** `/v2/deployments/{deployment_id}/revisions/{revision_id}/logs` (public service, "Deployments and revisions"). */
export function addLogRoutes(app: OpenAPIHono<Env>, platform: Platform): void {
  app.openapi(get, (c) => {
    const { id, deployment_id } = findRevision(platform, c.var.workspace, c.req.valid("param"));
    const { type, limit, order, offset } = c.req.valid("query");
    const name = { deploymentId: deployment_id, revisionId: id, type };
    const lines = platform.logs.read(name);
    const start = offset === undefined ? undefined : Number(offset);
    return c.json(pageOf(lines, { limit, order, start }), 200);
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
