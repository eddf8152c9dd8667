// The control plane of the bench `engine`, as bare as can be: its work is the same whoever asks. It has what a create
// and an update need. `/requests` returns how often each request came; `DELETE` forgets these, and all deployments.
import { randomUUID } from "node:crypto";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { CreateDeployment, type Deployment, UpdateDeployment } from "../../../sdk/schema";
import { WORKSPACE_ID } from "./inputs";

const CREATED_AT = "2026-01-01T00:00:00.000Z";
const deployments = new Map<string, Deployment>();
const requests = new Map<string, number>();

const app = new Hono()
  .use("/v2/*", (c, next) => {
    const name = `${c.req.method} ${c.req.path.replace(/[0-9a-f-]{36}/g, "…")}`;
    requests.set(name, (requests.get(name) ?? 0) + 1);
    return next();
  })
  .get("/v2/deployments", (c) => {
    const part = c.req.query("name_contains") ?? "";
    const resources = [...deployments.values()].filter(({ name }) => name.includes(part));
    return c.json({ resources, offset: resources.length });
  })
  .post("/v2/deployments", async (c) => {
    const request = CreateDeployment.parse(await c.req.json());
    const id = randomUUID();
    const deployment: Deployment = {
      ...request,
      id,
      tenant_id: WORKSPACE_ID,
      status: "READY",
      created_at: CREATED_AT,
      updated_at: CREATED_AT,
      latest_revision_id: id,
      active_revision_id: id,
      image_version: null,
      url: `https://${request.name}.example.com`,
    };
    deployments.set(id, deployment);
    return c.json(deployment, 201);
  })
  .get("/v2/deployments/:id", (c) => {
    const deployment = deployments.get(c.req.param("id"));
    return deployment ? c.json(deployment) : c.json({ detail: "Deployment not found" }, 404);
  })
  .patch("/v2/deployments/:id", async (c) => {
    const change = UpdateDeployment.parse(await c.req.json());
    const id = randomUUID();
    const deployment = deployments.get(c.req.param("id"));
    if (!deployment) return c.json({ detail: "Deployment not found" }, 404);
    const revisions = { latest_revision_id: id, active_revision_id: id };
    return c.json(Object.assign(deployment, change, revisions));
  })
  .get("/v2/deployments/:id/revisions", (c) => {
    const latest = deployments.get(c.req.param("id"))?.latest_revision_id ?? "";
    return c.json({ resources: [revisionOf(latest)], offset: 1 });
  })
  .get("/v2/deployments/:id/revisions/:revision", (c) =>
    c.json(revisionOf(c.req.param("revision"))),
  )
  .on(["GET", "DELETE"], "/requests", (c) => {
    const counts = Object.fromEntries(requests);
    if (c.req.method === "DELETE") for (const all of [deployments, requests]) all.clear();
    return c.json(counts);
  });

/** The only revision that a deployment lists. */
function revisionOf(id: string) {
  return {
    id,
    status: "DEPLOYED",
    created_at: CREATED_AT,
    repo_ref: "main",
    graph_config_path: "langgraph.json",
    repo_commit_sha: "0123456789abcdef0123456789abcdef01234567",
  };
}

serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) =>
  console.log(JSON.stringify({ port })),
);
