import type { Context } from "hono";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { keyOf, workspaceOf } from "../access";
import type { Env, Platform } from "../platform";
import { notFound, problem } from "../problems";

/** `/agents/{deployment_id}` and all below: what the deployment's own server answers. */
export function addAgentRoutes(app: OpenAPIHono<Env>, platform: Platform): void {
  const handle = async (c: Context<Env, "/agents/:deployment_id">): Promise<Response> => {
    const id = c.req.param("deployment_id").toLowerCase();
    const deployment = platform.store.deployments.get(id);
    if (!deployment) throw notFound("deployment", id);
    if (platform.agentAuth) {
      const { id: workspaceId } = workspaceOf(c, platform.store.workspaces.all());
      if (workspaceId !== deployment.workspace_id)
        throw problem(403, `the API key is not one of the workspace of deployment ${id}`);
    }
    const { forward } = await import("../proxy.js");
    const request = platform.agentAuth ? withoutKey(c) : c.req.raw;
    const prefix = `/agents/${c.req.param("deployment_id")}`;
    const origin = () => platform.driver.origin(id);
    return forward(request, { origin, prefix }, c.env.outgoing);
  };
  app.all("/agents/:deployment_id", handle);
  app.all("/agents/:deployment_id/*", handle);
}

/** The workspace's key opens the control plane too: an agent server has no business with it. */
function withoutKey(c: Context): Request {
  const headers = new Headers(c.req.raw.headers);
  const key = keyOf(c);
  if (headers.get("X-Api-Key") === key) headers.delete("X-Api-Key");
  else headers.delete("Authorization");
  const { url, method, body, signal } = c.req.raw;
  return new Request(url, { method, headers, body, signal, duplex: "half" });
}
