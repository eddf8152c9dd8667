import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import type { LogType } from "../../../sdk/schema";
import { findDeployment } from "../../control-plane/deployments";
import type { Platform } from "../../control-plane/platform";
import { findRevision } from "../../control-plane/revisions";
import { DEPLOYMENT_OFFSET } from "../../logs/logs";
import type { PlacedLine } from "../../store";
import type { Env } from "../env";
import { requireJson } from "../validation";
import { LogOffset, LogTime } from "./logs";
import { operationsOf } from "./description";
import { ProjectLogPage } from "./responses";
import {
  DeploymentId,
  jsonBody,
  jsonResponse,
  or404,
  orBodyRejected,
  revisionParams,
} from "./route";

const PROJECT = "/v1/projects/{deployment_id}";

const body = {
  limit: z.int().min(1).max(1000).default(50),
  order: z.enum(["asc", "desc"]).default("asc"),
  level: z.string().nullish(),
  query: z.string().nullish(),
  start_time: LogTime.nullish(),
  end_time: LogTime.nullish(),
};
const RevisionLogQuery = z.object({ ...body, offset: LogOffset.nullish() });
const ProjectLogQuery = z.object({
  ...body,
  offset: z
    .string()
    .regex(DEPLOYMENT_OFFSET, "should be the next_offset of a page of these logs")
    .nullish(),
});
type Query = Omit<z.output<typeof RevisionLogQuery>, "offset">;

const responses = {
  200: jsonResponse(ProjectLogPage, "A page of the log"),
  ...or404,
  ...orBodyRejected,
};

const operation = operationsOf("Logs");
const EXAMPLE = { limit: 100, order: "desc" as const };

const ofRevision = (type: "build" | "deploy") =>
  createRoute({
    ...operation(
      type === "build" ? "getBuildLogs" : "getDeployLogs",
      `Gets a page of a revision's ${type} log, as older versions of the service have it`,
    ),
    method: "post",
    path: `${PROJECT}/revisions/{revision_id}/${type}_logs`,
    middleware: requireJson,
    request: { ...revisionParams, body: jsonBody(RevisionLogQuery, EXAMPLE) },
    responses,
  });

const ofProject = createRoute({
  ...operation(
    "getProjectDeployLogs",
    "Gets a page of the deploy logs of a deployment, as older versions of the service have it",
  ),
  method: "post",
  path: `${PROJECT}/deploy_logs`,
  middleware: requireJson,
  request: {
    params: z.object({ deployment_id: DeploymentId }),
    body: jsonBody(ProjectLogQuery, EXAMPLE),
  },
  responses,
});

/** The logs as older versions of the public service have them, and published command-line clients read them. */
export function addProjectLogRoutes(app: OpenAPIHono<Env>, platform: Platform): void {
  for (const type of ["build", "deploy"] as const)
    app.openapi(ofRevision(type), async (c) => {
      const { id } = findRevision(platform, c.var.workspace, c.req.valid("param"));
      const { offset, ...query } = c.req.valid("json");
      const name = { revisionId: id, type };
      const from = offset ? Number(offset) : undefined;
      const page = await platform.logs.page(name, { ...queryOf(query), offset: from });
      const lines = page.logs.map((line) => toLine({ ...line, revision_id: id }, type));
      return c.json({ ...page, logs: lines }, 200);
    });
  app.openapi(ofProject, async (c) => {
    const { id } = findDeployment(platform, c.var.workspace, c.req.valid("param").deployment_id);
    const { offset, ...query } = c.req.valid("json");
    const from = { ...queryOf(query), offset: offset ?? undefined };
    const page = await platform.logs.pageOfDeployment(id, "deploy", from);
    return c.json({ ...page, logs: page.logs.map((line) => toLine(line, "deploy")) }, 200);
  });
}

function queryOf({ limit, order, level, query, start_time, end_time }: Query) {
  return {
    limit,
    order,
    level: level ?? undefined,
    query: query ?? undefined,
    startTime: start_time ?? undefined,
    endTime: end_time ?? undefined,
  };
}

/** Clients that follow a log know a line again by its id. */
function toLine({ revision_id, number, ...line }: PlacedLine, type: LogType) {
  return { id: `${revision_id}/${type}/${number}`, ...line };
}
