import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { createProvider, findProvider, updateProvider } from "../../control-plane/oauth-providers";
import type { Env, Platform } from "../../platform/platform";
import { requireJson } from "../validation";
import { OAuthProvider, OAuthProvidersList } from "./answers";
import { CreateOAuthProvider, UpdateOAuthProvider } from "./bodies";
import { answer, body, or404, or409, orBodyRefused, orRefused } from "./route";

const one = { params: z.object({ provider_id: z.string().min(1) }) };

const list = createRoute({
  method: "get",
  path: "/v2/auth/providers",
  responses: { 200: answer(OAuthProvidersList, "All providers, oldest first"), ...orRefused },
});

const create = createRoute({
  method: "post",
  path: "/v2/auth/providers",
  middleware: requireJson,
  request: { body: body(CreateOAuthProvider) },
  // 200, not 201: so does the public service.
  responses: { 200: answer(OAuthProvider, "The new provider"), ...or409, ...orBodyRefused },
});

const get = createRoute({
  method: "get",
  path: "/v2/auth/providers/{provider_id}",
  request: one,
  responses: { 200: answer(OAuthProvider, "The provider"), ...or404, ...orRefused },
});

const update = createRoute({
  method: "patch",
  path: "/v2/auth/providers/{provider_id}",
  middleware: requireJson,
  request: { ...one, body: body(UpdateOAuthProvider) },
  responses: { 200: answer(OAuthProvider, "The changed provider"), ...or404, ...orBodyRefused },
});

const remove = createRoute({
  method: "delete",
  path: "/v2/auth/providers/{provider_id}",
  request: one,
  responses: { 200: answer(z.object({}), "It is gone"), ...or404, ...orRefused },
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
