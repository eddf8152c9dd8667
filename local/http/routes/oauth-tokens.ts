import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import type { Authentications } from "../../control-plane/authentications";
import { deleteToken, updateToken } from "../../control-plane/oauth-tokens";
import type { Platform } from "../../control-plane/platform";
import type { Env } from "../env";
import { requireJson } from "../validation";
import {
  Authentication,
  AuthenticationResult,
  OAuthToken,
  OAuthTokenExists,
  OAuthTokensList,
  Problem,
} from "./responses";
import { Authenticate, UpdateOAuthToken } from "./request-bodies";
import {
  Id,
  integer,
  jsonBody,
  jsonResponse,
  or400,
  or404,
  orBodyRejected,
  orRejected,
} from "./route";

const CALLBACK = "/v2/auth/callback/{provider_id}";
const Slug = z.string().min(1);
const byToken = { params: z.object({ token_id: Id }) };
const ofProvider = { query: z.object({ provider_id: Slug }) };
const text = z.string().optional();
const finished = {
  200: jsonResponse(z.object({ detail: z.string() }), "The token is kept"),
  ...or400,
  422: orRejected[422],
  502: jsonResponse(Problem, "The provider gave no token"),
};
const DONE = { detail: "authenticated; this window can be closed" };

const authenticate = createRoute({
  method: "post",
  path: "/v2/auth/authenticate",
  middleware: requireJson,
  request: { body: jsonBody(Authenticate) },
  responses: {
    200: jsonResponse(Authentication, "A token, or where the user must go for one"),
    ...or404,
    ...orBodyRejected,
  },
});

const wait = createRoute({
  method: "get",
  path: "/v2/auth/wait/{auth_id}",
  request: {
    params: z.object({ auth_id: Slug }),
    query: z.object({ timeout: integer({ minimum: 0, maximum: 300, default: 30 }) }),
  },
  responses: {
    200: jsonResponse(AuthenticationResult, "How the authentication ended, or that it has not"),
    ...orRejected,
  },
});

const callback = createRoute({
  method: "get",
  path: CALLBACK,
  security: [],
  request: {
    params: z.object({ provider_id: Slug }),
    query: z.object({ code: text, state: text, error: text, error_description: text }),
  },
  responses: finished,
});

const postCallback = createRoute({
  method: "post",
  path: CALLBACK,
  middleware: requireJson,
  request: {
    params: z.object({ provider_id: Slug }),
    body: jsonBody(z.object({ code: z.string(), state: z.string() })),
  },
  responses: { ...orBodyRejected, ...finished },
});

const list = createRoute({
  method: "get",
  path: "/v2/auth/tokens",
  request: { query: z.object({ provider_id: Slug.optional() }) },
  responses: { 200: jsonResponse(OAuthTokensList, "The tokens, oldest first"), ...orRejected },
});

const removeAll = createRoute({
  method: "delete",
  path: "/v2/auth/tokens",
  request: ofProvider,
  responses: { 200: jsonResponse(z.object({}), "The tokens are deleted"), ...orRejected },
});

const exists = createRoute({
  method: "get",
  path: "/v2/auth/tokens/exists",
  request: ofProvider,
  responses: {
    200: jsonResponse(OAuthTokenExists, "Whether the provider has a token"),
    ...orRejected,
  },
});

const update = createRoute({
  method: "patch",
  path: "/v2/auth/tokens/{token_id}/metadata",
  middleware: requireJson,
  request: { ...byToken, body: jsonBody(UpdateOAuthToken) },
  responses: { 200: jsonResponse(OAuthToken, "The updated token"), ...or404, ...orBodyRejected },
});

const remove = createRoute({
  method: "delete",
  path: "/v2/auth/tokens/{token_id}",
  request: byToken,
  responses: { 204: { description: "The token is deleted" }, ...or404, ...orRejected },
});

/** `GET /v2/auth/callback/{provider_id}`, where a browser brings no key: the `state` is its proof. */
export function addAuthenticationCallback(
  app: OpenAPIHono<Env>,
  authentications: Authentications,
): void {
  app.openapi(callback, async (c) => {
    await authentications.finish(c.req.valid("param").provider_id, c.req.valid("query"));
    return c.json(DONE, 200);
  });
}

/** `/v2/auth/authenticate`, `/v2/auth/wait/…`, `POST /v2/auth/callback/…` and `/v2/auth/tokens…`. */
export function addOAuthTokenRoutes(
  app: OpenAPIHono<Env>,
  platform: Platform,
  authentications: Authentications,
): void {
  const { oauthTokens } = platform.store;
  app.openapi(authenticate, (c) =>
    c.json(authentications.start(c.var.workspace, c.req.valid("json")), 200),
  );
  app.openapi(wait, async (c) => {
    const { signal } = c.req.raw;
    const until = { timeoutSeconds: c.req.valid("query").timeout, signal };
    const { auth_id } = c.req.valid("param");
    return c.json(await authentications.wait(c.var.workspace, auth_id, until), 200);
  });
  app.openapi(postCallback, async (c) => {
    await authentications.finish(c.req.valid("param").provider_id, c.req.valid("json"));
    return c.json(DONE, 200);
  });
  app.openapi(list, (c) => {
    const { provider_id } = c.req.valid("query");
    const found = oauthTokens.list(c.var.workspace.id, provider_id);
    return c.json(
      found.map(({ token }) => token),
      200,
    );
  });
  app.openapi(removeAll, (c) => {
    const { id } = c.var.workspace;
    for (const { token } of oauthTokens.list(id, c.req.valid("query").provider_id))
      oauthTokens.remove(id, token.id);
    return c.json({}, 200);
  });
  app.openapi(exists, (c) => {
    const found = oauthTokens.list(c.var.workspace.id, c.req.valid("query").provider_id);
    return c.json({ has_token: found.length > 0 }, 200);
  });
  app.openapi(update, (c) => {
    const { token_id } = c.req.valid("param");
    return c.json(updateToken(platform, c.var.workspace, token_id, c.req.valid("json")), 200);
  });
  app.openapi(remove, (c) => {
    deleteToken(platform, c.var.workspace, c.req.valid("param").token_id);
    return c.body(null, 204);
  });
}
