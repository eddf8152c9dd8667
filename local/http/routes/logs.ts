import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { LogType } from "../../../sdk/schema";
import { findRevision } from "../../control-plane/revisions";
import type { Platform } from "../../control-plane/platform";
import type { Env } from "../env";
import { operationsOf } from "./description";
import { LogPage } from "./responses";
import { integer, jsonResponse, revisionParams, or404, orRejected, REVISIONS } from "./route";

/** ISO 8601, of which offsets other than `Z` are converted: lines are compared by it. */
export const LogTime = z.iso
  .datetime({
    offset: true,
    local: true,
    error: "should be a time in ISO 8601, such as 2026-01-31T12:00:00Z",
  })
  .transform((text) => new Date(/Z|[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`).toISOString());

/** The offset of a page of one revision's log. */
export const LogOffset = z
  .string()
  .regex(/^\d{1,12}$/, "should be the next_offset of a page of this log");

const get = createRoute({
  ...operationsOf("Logs")("getRevisionLogs", "Gets a page of a revision's log"),
  method: "get",
  path: `${REVISIONS}/{revision_id}/logs`,
  request: {
    ...revisionParams,
    query: z.object({
      type: LogType.describe("The log of the build, or of the container"),
      limit: integer({
        minimum: 1,
        maximum: 1000,
        default: 50,
        description: "The largest number of lines in the page",
      }),
      order: z.enum(["asc", "desc"]).default("asc").describe("Oldest or newest first"),
      offset: LogOffset.optional().describe("The `next_offset` of the page before"),
      start_time: LogTime.optional().describe("No lines before this time"),
      end_time: LogTime.optional().describe("No lines after this time"),
      level: z.string().optional().describe("The level, such as `ERROR`"),
      query: z.string().optional().describe("A text in the line"),
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
