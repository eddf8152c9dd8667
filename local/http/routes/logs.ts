import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { LogType } from "../../../sdk/schema";
import { findRevision } from "../../control-plane/revisions";
import type { Platform } from "../../control-plane/platform";
import type { Env } from "../env";
import { LogPage } from "./responses";
import { integer, jsonResponse, revisionParams, or404, orRejected, REVISIONS } from "./route";

const get = createRoute({
  method: "get",
  path: `${REVISIONS}/{revision_id}/logs`,
  request: {
    ...revisionParams,
    query: z.object({
      type: LogType,
      limit: integer({ minimum: 1, maximum: 1000, default: 50 }),
      order: z.enum(["asc", "desc"]).default("asc"),
      offset: z
        .string()
        .regex(/^\d{1,12}$/, "should be the next_offset of a page of this log")
        .optional(),
    }),
  },
  responses: { 200: jsonResponse(LogPage, "A page of the log"), ...or404, ...orRejected },
});

/** `/v2/deployments/{deployment_id}/revisions/{revision_id}/logs` (public service, "Deployments and revisions"). */
export function addLogRoutes(app: OpenAPIHono<Env>, platform: Platform): void {
  app.openapi(get, async (c) => {
    const { id } = findRevision(platform, c.var.workspace, c.req.valid("param"));
    const { type, limit, order, offset } = c.req.valid("query");
    const from = offset === undefined ? undefined : Number(offset);
    const name = { revisionId: id, type };
    return c.json(await platform.logs.page(name, { limit, order, offset: from }), 200);
  });
}
