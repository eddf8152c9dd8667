import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { createProvider, findProvider, updateProvider } from "../../control-plane/oauth-providers";
import type { Platform } from "../../control-plane/platform";
import type { Env } from "../env";
import { requireJson } from "../validation";
import { OAuthProvider, OAuthProvidersList } from "./responses";
import { linksTo, operationsOf } from "./description";
import { CreateOAuthProvider, UpdateOAuthProvider } from "./request-bodies";
import {
  jsonResponse,
  jsonBody,
  or404,
  or409,
  orBodyRejected,
  orRejected,
  ProviderId,
} from "./route";

const operation = operationsOf("OAuth providers");
const byId = { params: z.object({ provider_id: ProviderId }) };

const EXAMPLE = {
  name: "Calendar",
  provider_id: "calendar",
  client_id: "a client",
  client_secret: "a secret",
  auth_url: "https://accounts.example.com/authorize",
  token_url: "https://accounts.example.com/token",
};

const list = createRoute({
  ...operation("listOAuthProviders", "Lists the OAuth providers of the workspace, oldest first"),
  method: "get",
  path: "/v2/auth/providers",
  responses: {
    200: jsonResponse(OAuthProvidersList, "All providers, oldest first"),
    ...orRejected,
  },
});

const create = createRoute({
  ...operation("createOAuthProvider", "Creates an OAuth provider"),
  method: "post",
  path: "/v2/auth/providers",
  middleware: requireJson,
  request: { body: jsonBody(CreateOAuthProvider, EXAMPLE) },
  // The public service answers 200, not 201.
  responses: {
    200: {
      ...jsonResponse(OAuthProvider, "The new provider"),
      ...linksTo(["getOAuthProvider", "updateOAuthProvider", "deleteOAuthProvider"], {
        provider_id: "$response.body#/provider_id",
      }),
    },
    ...or409,
    ...orBodyRejected,
  },
});

const get = createRoute({
  ...operation("getOAuthProvider", "Gets an OAuth provider"),
  method: "get",
  path: "/v2/auth/providers/{provider_id}",
  request: byId,
  responses: { 200: jsonResponse(OAuthProvider, "The provider"), ...or404, ...orRejected },
});

const update = createRoute({
  ...operation("updateOAuthProvider", "Changes an OAuth provider"),
  method: "patch",
  path: "/v2/auth/providers/{provider_id}",
  middleware: requireJson,
  request: { ...byId, body: jsonBody(UpdateOAuthProvider, { client_secret: "another secret" }) },
  responses: {
    200: jsonResponse(OAuthProvider, "The updated provider"),
    ...or404,
    ...orBodyRejected,
  },
});

const remove = createRoute({
  ...operation("deleteOAuthProvider", "Deletes an OAuth provider with its tokens"),
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
