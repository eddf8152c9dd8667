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
import { linksTo, operationsOf } from "./description";
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
  ProviderId,
} from "./route";

const CALLBACK = "/v2/auth/callback/{provider_id}";
const operation = operationsOf("OAuth tokens");
const byToken = { params: z.object({ token_id: Id.describe("The token's id") }) };
const ofProvider = { query: z.object({ provider_id: ProviderId }) };
const text = (description: string) => z.string().optional().describe(description);
const finished = {
  200: jsonResponse(z.object({ detail: z.string() }), "The token is kept"),
  ...or400,
  422: orRejected[422],
  502: jsonResponse(Problem, "The provider gave no token"),
};
const DONE = { detail: "authenticated; this window can be closed" };

const authenticate = createRoute({
  ...operation("authenticate", "Gets a token of an OAuth provider, or starts an authentication"),
  method: "post",
  path: "/v2/auth/authenticate",
  middleware: requireJson,
  request: {
    body: jsonBody(Authenticate, {
      provider: "calendar",
      scopes: ["calendar.read"],
    }),
  },
  responses: {
    200: jsonResponse(Authentication, "A token, or where the user must go for one"),
    ...or404,
    ...orBodyRejected,
  },
});

const wait = createRoute({
  ...operation("waitForAuthentication", "Waits until an authentication ends"),
  method: "get",
  path: "/v2/auth/wait/{auth_id}",
  request: {
    params: z.object({
      auth_id: z.string().min(1).describe("The id of an authentication that was started"),
    }),
    query: z.object({
      timeout: integer({
        minimum: 0,
        maximum: 300,
        default: 30,
        description: "The longest wait, in seconds",
      }),
    }),
  },
  responses: {
    200: jsonResponse(AuthenticationResult, "How the authentication ended, or that it has not"),
    ...orRejected,
  },
});

const callback = createRoute({
  ...operation("finishAuthenticationInBrowser", "Takes the code that a browser brings"),
  method: "get",
  path: CALLBACK,
  security: [],
  request: {
    params: z.object({ provider_id: ProviderId }),
    query: z.object({
      code: text("The code for a token"),
      state: text("The state that was sent with the user"),
      error: text("The code of an error (RFC 6749, section 4.1.2.1)"),
      error_description: text("Its words"),
    }),
  },
  responses: finished,
});

const postCallback = createRoute({
  ...operation("finishAuthentication", "Takes the code of an authentication"),
  method: "post",
  path: CALLBACK,
  middleware: requireJson,
  request: {
    params: z.object({ provider_id: ProviderId }),
    body: jsonBody(z.object({ code: z.string(), state: z.string() }), {
      code: "a code",
      state: "a state",
    }),
  },
  responses: { ...orBodyRejected, ...finished },
});

const list = createRoute({
  ...operation("listOAuthTokens", "Lists the tokens of the workspace, oldest first"),
  method: "get",
  path: "/v2/auth/tokens",
  request: { query: z.object({ provider_id: ProviderId.optional() }) },
  responses: {
    200: {
      ...jsonResponse(OAuthTokensList, "The tokens, oldest first"),
      ...linksTo(["updateOAuthToken", "deleteOAuthToken"], { token_id: "$response.body#/0/id" }),
    },
    ...orRejected,
  },
});

const removeAll = createRoute({
  ...operation("deleteOAuthTokens", "Deletes all tokens of an OAuth provider"),
  method: "delete",
  path: "/v2/auth/tokens",
  request: ofProvider,
  responses: { 200: jsonResponse(z.object({}), "The tokens are deleted"), ...orRejected },
});

const exists = createRoute({
  ...operation("hasOAuthToken", "Tells whether an OAuth provider has a token"),
  method: "get",
  path: "/v2/auth/tokens/exists",
  request: ofProvider,
  responses: {
    200: jsonResponse(OAuthTokenExists, "Whether the provider has a token"),
    ...orRejected,
  },
});

const update = createRoute({
  ...operation("updateOAuthToken", "Changes the metadata of a token"),
  method: "patch",
  path: "/v2/auth/tokens/{token_id}/metadata",
  middleware: requireJson,
  request: { ...byToken, body: jsonBody(UpdateOAuthToken, { is_default: true }) },
  responses: { 200: jsonResponse(OAuthToken, "The updated token"), ...or404, ...orBodyRejected },
});

const remove = createRoute({
  ...operation("deleteOAuthToken", "Deletes a token"),
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
    // A state can be used once, and nobody has come back with this request.
    if (c.req.method === "HEAD") return c.json(DONE, 200);
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
