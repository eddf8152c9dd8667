import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { LogType } from "../../../sdk/schema";
import { findRevision } from "../../control-plane/revisions";
import type { Platform } from "../../control-plane/platform";
import type { Env } from "../env";
import { LogPage } from "./responses";
import { integer, jsonResponse, revisionParams, or404, orRejected, REVISIONS } from "./route";

/** ISO 8601, of which offsets other than `Z` are converted: lines are compared by it. */
export const LogTime = z.iso
  .datetime({ offset: true, local: true })
  .transform((text) => new Date(/Z|[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`).toISOString());

/** The offset of a page of one revision's log. */
export const LogOffset = z
  .string()
  .regex(/^\d{1,12}$/, "should be the next_offset of a page of this log");

const get = createRoute({
  method: "get",
  path: `${REVISIONS}/{revision_id}/logs`,
  request: {
    ...revisionParams,
    query: z.object({
      type: LogType,
      limit: integer({ minimum: 1, maximum: 1000, default: 50 }),
      order: z.enum(["asc", "desc"]).default("asc"),
      offset: LogOffset.optional(),
      start_time: LogTime.optional(),
      end_time: LogTime.optional(),
      level: z.string().optional(),
      query: z.string().optional(),
    }),
  },
  responses: { 200: jsonResponse(LogPage, "A page of the log"), ...or404, ...orRejected },
});

/** `/v2/deployments/{deployment_id}/revisions/{revision_id}/logs` (public service, "Deployments and revisions"). */
export function addLogRoutes(app: OpenAPIHono<Env>, platform: Platform): void {
  app.openapi(get, async (c) => {
    const { id } = findRevision(platform, c.var.workspace, c.req.valid("param"));
    const {
      type,
      offset,
      start_time: startTime,
      end_time: endTime,
      ...query
    } = c.req.valid("query");
    const from = offset === undefined ? undefined : Number(offset);
    const name = { revisionId: id, type };
    const page = await platform.logs.page(name, { ...query, startTime, endTime, offset: from });
    const logs = page.logs.map(({ number: _number, ...line }) => line);
    return c.json({ ...page, logs }, 200);
  });
}
