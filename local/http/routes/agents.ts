import type { Context } from "hono";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { workspaceOf } from "../access";
import type { Platform } from "../../control-plane/platform";
import type { Env } from "../env";
import { notFound, problem } from "../../control-plane/problems";

/** `/agents/{deployment_id}` and all paths below: proxied to the deployment's agent server. */
export function addAgentRoutes(app: OpenAPIHono<Env>, platform: Platform, adminKey: string): void {
  const handle = async (c: Context<Env, "/agents/:deployment_id">): Promise<Response> => {
    const id = c.req.param("deployment_id").toLowerCase();
    const deployment = platform.store.deployments.get(id);
    if (!deployment) throw notFound("deployment", id);
    const workspaces = platform.store.workspaces.all();
    if (platform.agentAuth) {
      const { id: workspaceId } = workspaceOf(c, workspaces);
      if (workspaceId !== deployment.workspace_id)
        throw problem(403, `the API key does not belong to the workspace of deployment ${id}`);
    }
    const { forward } = await import("../../proxy/proxy.js");
    const request = withoutKeys(c.req.raw, [adminKey, ...workspaces.map((one) => one.api_key)]);
    const prefix = `/agents/${c.req.param("deployment_id")}`;
    const origin = () => platform.driver.origin(id);
    return forward(request, { origin, prefix }, c.env.outgoing);
  };
  app.all("/agents/:deployment_id", handle);
  app.all("/agents/:deployment_id/*", handle);
}

/** Removes every header with a key of the control plane or the admin API: agent servers must not see them. */
function withoutKeys(request: Request, keys: readonly string[]): Request {
  const holdsKey = ([name, value]: [string, string]) =>
    name === "x-local-key" || keys.some((key) => value.includes(key));
  const all = [...request.headers];
  if (!all.some(holdsKey)) return request;
  const { url, method, body, signal } = request;
  const headers = all.filter((header) => !holdsKey(header));
  return new Request(url, { method, headers, body, signal, duplex: "half" });
}
