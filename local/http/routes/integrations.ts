import { createHash } from "node:crypto";
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import type { Repository } from "../../../sdk/schema";
import type { Platform } from "../../control-plane/platform";
import type { Env } from "../env";
import { notFound } from "../../control-plane/problems";
import { linksTo, operationsOf } from "./description";
import { IntegrationsList, RepositoriesList } from "./responses";
import { jsonResponse, Id, or404, orRejected } from "./route";

const operation = operationsOf("Git integrations");

const list = createRoute({
  ...operation("listIntegrations", "Lists the git integrations of the workspace"),
  method: "get",
  path: "/v1/integrations/git_host/install",
  responses: {
    200: {
      ...jsonResponse(IntegrationsList, "All integrations of the workspace"),
      ...linksTo(["listRepositories"], { integration_id: "$response.body#/0/id" }),
    },
    ...orRejected,
  },
});

const repositories = createRoute({
  ...operation("listRepositories", "Lists the repositories of a git integration"),
  method: "get",
  path: "/v1/integrations/git_host/{integration_id}/repos",
  request: { params: z.object({ integration_id: Id.describe("The git integration's id") }) },
  responses: {
    200: jsonResponse(RepositoriesList, "The repositories of the workspace's deployments"),
    ...or404,
    ...orRejected,
  },
});

/** `/v1/integrations/git_host/install` and `/v1/integrations/git_host/{integration_id}/repos`. */
export function addIntegrationRoutes(app: OpenAPIHono<Env>, { store }: Platform): void {
  app.openapi(list, (c) => c.json(store.integrations.list(c.var.workspace.id), 200));
  app.openapi(repositories, (c) => {
    const { integration_id } = c.req.valid("param");
    const { id } = c.var.workspace;
    if (!store.integrations.get(id, integration_id)) throw notFound("integration", integration_id);
    const used = store.deployments.repositories(id);
    return c.json(
      used.map(({ repo_url, branch }) => toRepository(integration_id, repo_url, branch)),
      200,
    );
  });
}

/** The local integration can clone any repository. Only its URL and one of its branches are known. */
function toRepository(integrationId: string, url: string, branch: string): Repository {
  const [name = url, owner = ""] = url
    .replace(/\.git$/, "")
    .split(/[/:]/)
    .toReversed();
  return {
    host_integration_id: integrationId,
    id: createHash("sha1").update(url).digest().readUInt32BE(),
    name,
    owner,
    url,
    default_branch: branch,
  };
}
