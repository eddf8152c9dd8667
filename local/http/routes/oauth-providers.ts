import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { createProvider, findProvider, updateProvider } from "../../control-plane/oauth-providers";
import type { Platform } from "../../control-plane/platform";
import type { Env } from "../env";
import { requireJson } from "../validation";
import { OAuthProvider, OAuthProvidersList } from "./responses";
import { CreateOAuthProvider, UpdateOAuthProvider } from "./request-bodies";
import { jsonResponse, jsonBody, or404, or409, orBodyRejected, orRejected } from "./route";

const byId = { params: z.object({ provider_id: z.string().min(1) }) };

const list = createRoute({
  method: "get",
  path: "/v2/auth/providers",
  responses: {
    200: jsonResponse(OAuthProvidersList, "All providers, oldest first"),
    ...orRejected,
  },
});

const create = createRoute({
  method: "post",
  path: "/v2/auth/providers",
  middleware: requireJson,
  request: { body: jsonBody(CreateOAuthProvider) },
  // The public service answers 200, not 201.
  responses: { 200: jsonResponse(OAuthProvider, "The new provider"), ...or409, ...orBodyRejected },
});

const get = createRoute({
  method: "get",
  path: "/v2/auth/providers/{provider_id}",
  request: byId,
  responses: { 200: jsonResponse(OAuthProvider, "The provider"), ...or404, ...orRejected },
});

const update = createRoute({
  method: "patch",
  path: "/v2/auth/providers/{provider_id}",
  middleware: requireJson,
  request: { ...byId, body: jsonBody(UpdateOAuthProvider) },
  responses: {
    200: jsonResponse(OAuthProvider, "The updated provider"),
    ...or404,
    ...orBodyRejected,
  },
});

const remove = createRoute({
  method: "delete",
  path: "/v2/auth/providers/{provider_id}",
  request: byId,
  responses: {
    200: jsonResponse(z.object({}), "The provider is deleted"),
    ...or404,
    ...orRejected,
  },
});

/** `/v2/auth/providers` and `/v2/auth/providers/{provider_id}`. */
export function addOAuthProviderRoutes(app: OpenAPIHono<Env>, platform: Platform): void {
  const { oauthProviders } = platform.store;
  app.openapi(list, (c) => c.json(oauthProviders.list(c.var.workspace.id), 200));
  app.openapi(create, (c) =>
    c.json(createProvider(platform, c.var.workspace, c.req.valid("json")), 200),
  );
  app.openapi(get, (c) => {
    const { provider_id } = c.req.valid("param");
    return c.json(findProvider(platform, c.var.workspace, provider_id), 200);
  });
  app.openapi(update, (c) => {
    const { provider_id } = c.req.valid("param");
    const changes = c.req.valid("json");
    return c.json(updateProvider(platform, c.var.workspace, provider_id, changes), 200);
  });
  app.openapi(remove, (c) => {
    const { provider_id } = c.req.valid("param");
    findProvider(platform, c.var.workspace, provider_id);
    oauthProviders.remove(c.var.workspace.id, provider_id);
    return c.json({}, 200);
  });
}
