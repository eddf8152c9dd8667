import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import type { Dialect } from "../../../sdk/dialect";
import {
  DeploymentFilters,
  ExtendedDeploymentFilters,
} from "../../../sdk/schema/deployment-filters";
import {
  createDeployment,
  deleteDeployment,
  findDeployment,
  updateDeployment,
} from "../../control-plane/deployments";
import { problem } from "../../control-plane/problems";
import type { Platform } from "../../control-plane/platform";
import type { Env } from "../env";
import { requireJson } from "../validation";
import { toDeployment } from "./wire";
import { Deployment, DeploymentsList } from "./responses";
import { linksTo, operationsOf } from "./description";
import { bodiesIn } from "./request-bodies";
import {
  jsonResponse,
  jsonBody,
  DeploymentId,
  or400,
  or404,
  or409,
  orBodyRejected,
  orRejected,
  inQuery,
  listQuery,
} from "./route";

const operation = operationsOf("Deployments");
const byId = { params: z.object({ deployment_id: DeploymentId }) };
const OF_DEPLOYMENT = [
  "getDeployment",
  "updateDeployment",
  "deleteDeployment",
  "listRevisions",
  "createRevision",
  "getProjectDeployLogs",
];
const OF_REVISION = [
  "getRevision",
  "redeployRevision",
  "interruptRevision",
  "getRevisionLogs",
  "getBuildLogs",
  "getDeployLogs",
];
const ids = { deployment_id: "$response.body#/id" } as const;
const revisionIds = { ...ids, revision_id: "$response.body#/latest_revision_id" } as const;
const links = {
  ...linksTo(OF_DEPLOYMENT, ids).links,
  ...linksTo(OF_REVISION, revisionIds).links,
};

const EXAMPLE = {
  name: "support",
  source: "external_container" as const,
  source_config: { listener_id: "7e57d004-2b97-4e7a-b45f-5387367791cd" },
  source_revision_config: { image_uri: "registry.example.com/acme/support:1.4.2" },
  secrets: [{ name: "MODEL_API_KEY", value: "a key" }],
};

const list = ({ isExtended, deploymentTypes }: Dialect) =>
  createRoute({
    ...operation("listDeployments", "Lists the deployments of the workspace, newest first"),
    method: "get",
    path: "/v2/deployments",
    request: {
      query: listQuery({
        ...inQuery((isExtended ? ExtendedDeploymentFilters : DeploymentFilters).shape),
        deployment_type: z.enum(deploymentTypes).optional().describe("The type"),
      }),
    },
    responses: { 200: jsonResponse(DeploymentsList, "A page, newest first"), ...orRejected },
  });

const create = (dialect: Dialect) =>
  createRoute({
    ...operation("createDeployment", "Creates a deployment and its first revision"),
    method: "post",
    path: "/v2/deployments",
    middleware: requireJson,
    request: { body: jsonBody(bodiesIn(dialect).CreateDeployment, EXAMPLE) },
    responses: {
      201: { ...jsonResponse(Deployment, "The new deployment"), links },
      ...or400,
      ...or409,
      ...orBodyRejected,
    },
  });

const get = createRoute({
  ...operation("getDeployment", "Gets a deployment"),
  method: "get",
  path: "/v2/deployments/{deployment_id}",
  request: byId,
  responses: { 200: jsonResponse(Deployment, "The deployment"), ...or404, ...orRejected },
});

const update = (dialect: Dialect) =>
  createRoute({
    ...operation(
      "updateDeployment",
      "Changes a deployment; what only a new revision can change creates one",
    ),
    method: "patch",
    path: "/v2/deployments/{deployment_id}",
    middleware: requireJson,
    request: {
      ...byId,
      body: jsonBody(bodiesIn(dialect).UpdateDeployment, {
        source_revision_config: { image_uri: "registry.example.com/acme/support:1.4.3" },
      }),
    },
    responses: {
      200: jsonResponse(Deployment, "The updated deployment"),
      ...or400,
      ...or404,
      ...or409,
      ...orBodyRejected,
    },
  });

const remove = createRoute({
  ...operation("deleteDeployment", "Deletes a deployment with its revisions"),
  method: "delete",
  path: "/v2/deployments/{deployment_id}",
  request: byId,
  responses: { 204: { description: "The deletion has started" }, ...or404, ...orRejected },
});

/** `/v2/deployments` and `/v2/deployments/{deployment_id}`. */
export function addDeploymentRoutes(app: OpenAPIHono<Env>, platform: Platform): void {
  const { dialect } = platform;
  app.openapi(list(dialect), (c) => {
    const { limit, offset, ...filters } = c.req.valid("query");
    const page = platform.store.deployments.list(c.var.workspace.id, filters, limit, offset);
    return c.json(
      { resources: page.map((one) => toDeployment(one, dialect)), offset: offset + page.length },
      200,
    );
  });
  app.openapi(create(dialect), (c) => {
    const created = createDeployment(platform, c.var.workspace, c.req.valid("json"));
    return c.json(toDeployment(created, dialect), 201);
  });
  app.openapi(get, (c) => {
    const { deployment_id } = c.req.valid("param");
    const found = findDeployment(platform, c.var.workspace, deployment_id);
    return c.json(toDeployment(found, dialect), 200);
  });
  app.openapi(update(dialect), (c) => {
    const { deployment_id } = c.req.valid("param");
    const changes = c.req.valid("json");
    const changed = updateDeployment(platform, c.var.workspace, deployment_id, changes);
    return c.json(toDeployment(changed, dialect), 200);
  });
  app.openapi(remove, (c) => {
    deleteDeployment(platform, c.var.workspace, c.req.valid("param").deployment_id);
    return c.body(null, 204);
  });
  for (const [path, reason] of Object.entries(UNSUPPORTED))
    app.post(`/v2/deployments/:deployment_id/${path}`, () => {
      throw problem(400, reason);
    });
}

/** What newer clients ask for before they push an image or upload code. */
const UNSUPPORTED = {
  "push-token":
    "the local platform has no registry to push to; push the image to another one and send its image_uri",
  "upload-url":
    "the local platform takes no upload (internal_source); use a git repository or an image",
};
