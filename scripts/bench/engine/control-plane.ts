import { createHash } from "node:crypto";
import { Hono } from "hono";
import { CreateDeployment, type Deployment } from "../../../sdk/schema";
import { WORKSPACE_ID } from "./inputs";

/** A bare server with the part of the control plane that a create needs, and what it counted. */
export interface BareControlPlane {
  readonly app: Hono;
  /** How often each request came, ids left out. */
  readonly requests: () => Record<string, number>;
  /** Forgets everything. */
  readonly clear: () => void;
}

/**
 * A control plane of one workspace, as bare as can be: its work is the same whoever asks. Ids and times follow from the
 * name, so that two stacks of the same names store the same values. `statusNow` is that of every revision.
 */
export function bareControlPlane(statusNow: () => string = () => "DEPLOYED"): BareControlPlane {
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
      const deployment = deploymentOf(CreateDeployment.parse(await c.req.json()));
      deployments.set(deployment.id, deployment);
      return c.json(deployment, 201);
    })
    .get("/v2/deployments/:id", (c) => {
      const deployment = deployments.get(c.req.param("id"));
      if (deployment === undefined) return c.json({ detail: "Deployment not found" }, 404);
      const serves = statusNow() === "DEPLOYED";
      const active_revision_id = serves ? deployment.latest_revision_id : null;
      return c.json({ ...deployment, active_revision_id });
    })
    .get("/v2/deployments/:id/revisions", (c) =>
      c.json({ resources: [revisionOf(c.req.param("id"), statusNow())], offset: 1 }),
    )
    .get("/v2/deployments/:id/revisions/:revision", (c) =>
      c.json(revisionOf(c.req.param("id"), statusNow())),
    );
  return {
    app,
    requests: () => Object.fromEntries(requests),
    clear: () => {
      deployments.clear();
      requests.clear();
    },
  };
}

const CREATED_AT = "2026-01-01T00:00:00.000Z";

function deploymentOf(request: CreateDeployment): Deployment {
  const id = uuidOf(request.name);
  return {
    ...request,
    id,
    tenant_id: WORKSPACE_ID,
    status: "READY",
    created_at: CREATED_AT,
    updated_at: CREATED_AT,
    latest_revision_id: uuidOf(id),
    active_revision_id: null,
    image_version: null,
    url: `https://${request.name}.example.com`,
  };
}

function revisionOf(deploymentId: string, status: string) {
  return {
    id: uuidOf(deploymentId),
    status,
    created_at: CREATED_AT,
    repo_ref: "main",
    graph_config_path: "langgraph.json",
    repo_commit_sha: createHash("sha1").update(deploymentId).digest("hex"),
  };
}

function uuidOf(text: string): string {
  const digits = createHash("sha256").update(text).digest("hex");
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5");
}
