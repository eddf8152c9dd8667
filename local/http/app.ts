import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import { requireAllowedHost, workspaceOf } from "./access";
import type { Admin } from "../admin";
import type { Activity } from "../admin/activity";
import type { RecentRequests } from "../admin/requests";
import { injectFaults } from "./faults";
import { adminRoutes, type Operator } from "./routes/admin";
import { requireAllowedOrigin } from "./cors";
import { recordOf } from "../../shared/records";
import { translateResponses } from "./dialect";
import { withLimits, withoutNullComponents } from "./openapi";
import { allowedMethods } from "./allowed-methods";
import { Authentications } from "../control-plane/authentications";
import type { Platform } from "../control-plane/platform";
import type { Env } from "./env";
import { onError } from "./errors";
import { keepResource } from "./resource";
import { addAgentRoutes } from "./routes/agents";
import { addDeploymentRoutes } from "./routes/deployments";
import { addIntegrationRoutes } from "./routes/integrations";
import { addListenerRoutes } from "./routes/listeners";
import { addLogRoutes } from "./routes/logs";
import { addOAuthProviderRoutes } from "./routes/oauth-providers";
import { addAuthenticationCallback, addOAuthTokenRoutes } from "./routes/oauth-tokens";
import { addPageLinks } from "./routes/page";
import { addProjectLogRoutes } from "./routes/project-logs";
import { addRevisionRoutes } from "./routes/revisions";
import { rejectInvalid } from "./validation";

const VERSIONS = ["/v1/*", "/v2/*"];
const OPENAPI = "/openapi.json";

/** The platform's HTTP server: control plane, admin API and agent URLs. */
export function createApp(
  platform: Platform,
  { admin, adminKey, close, pageOrigin }: Operator,
): OpenAPIHono<Env> {
  const app = new OpenAPIHono<Env>({
    defaultHook: rejectInvalid,
    // A self-hosted installation serves the control plane below this prefix (contract, "What the service does").
    getPath: (request) =>
      platform.dialect.toContract.path(
        new URL(request.url).pathname.replace(/^\/api-host(?=\/v\d)/, ""),
      ),
  });
  app.onError(onError);
  app.use(setHeaders(platform), requireAllowedHost(platform.listen));
  const isTranslated = platform.dialect.name !== "agentserver";
  for (const path of [OPENAPI, ...(isTranslated ? VERSIONS : [])])
    app.use(path, translateResponses(platform.dialect));
  addControlPlane(app, platform, admin);
  addOpenApiDocument(app);
  app.route("/_local", adminRoutes({ admin, adminKey, close }));
  app.use("/agents/*", requireAllowedOrigin(platform), injectFaults(admin.faults));
  app.use("/agents/:deployment_id/*", noteActivity(admin.activity));
  addAgentRoutes(app, platform, adminKey);
  if (pageOrigin !== undefined) addPageLinks(app, pageOrigin);
  app.notFound((c) => {
    const allowed = allowedMethods(app.routes, c.req.path);
    if (allowed.length === 0) return c.json({ detail: "Not Found" }, 404);
    return c.json({ detail: "Method Not Allowed" }, 405, { Allow: allowed.join(", ") });
  });
  return app;
}

function addControlPlane(app: OpenAPIHono<Env>, platform: Platform, admin: Admin): void {
  const { store, dialect } = platform;
  const authenticate: MiddlewareHandler<Env> = async (c, next) => {
    c.set("workspace", workspaceOf(c, store.workspaces.all()));
    c.set("dialect", dialect);
    await next();
  };
  const count: MiddlewareHandler<Env> = async (c, next) => {
    admin.requestCounts.add(c.req.method, routeOf(c));
    await next();
  };
  const record = recordRequests(admin.recentRequests);
  const authentications = new Authentications(platform);
  addAuthenticationCallback(app, authentications);
  for (const version of VERSIONS)
    app.use(version, record, authenticate, count, injectFaults(admin.faults));
  for (const path of ["/v2/deployments", "/v2/deployments/:deployment_id"])
    app.use(path, keepResource(store));
  addDeploymentRoutes(app, platform);
  addRevisionRoutes(app, platform);
  addLogRoutes(app, platform);
  addProjectLogRoutes(app, platform);
  addListenerRoutes(app, platform);
  addIntegrationRoutes(app, platform);
  addOAuthProviderRoutes(app, platform);
  addOAuthTokenRoutes(app, platform, authentications);
}

/** Notes each request to an agent server when it begins and when its response has ended. */
function noteActivity(activity: Activity): MiddlewareHandler<Env> {
  return async (c, next) => {
    const id = c.req.param("deployment_id")?.toLowerCase() ?? "";
    activity.note(id);
    c.env.outgoing.once("close", () => activity.note(id));
    await next();
  };
}

/** Notes each request when its response begins, or its connection is closed. */
function recordRequests(requests: RecentRequests): MiddlewareHandler<Env> {
  return async (c, next) => {
    const startMs = performance.now();
    const atMs = Date.now();
    await next();
    const { method, url } = c.req.raw;
    const isClosed = c.res.headers.has("x-hono-already-sent");
    requests.add({
      atMs,
      method,
      path: new URL(url).pathname,
      status: isClosed ? undefined : c.res.status,
      durationMs: performance.now() - startMs,
      client: c.req.header("User-Agent"),
    });
  };
}

/** The path of a request as the OpenAPI document has it; `/v2/*` for one that has no route. */
function routeOf(c: Context<Env>): string {
  const path = matchedRoutes(c).at(-1)?.path ?? c.req.path;
  return path.replace(/:(\w+)/g, "{$1}");
}

/** `GET /openapi.json`: the routes above; the version is the contract's. */
function addOpenApiDocument(app: OpenAPIHono<Env>): void {
  const { openAPIRegistry: registry } = app;
  for (const name of ["X-Api-Key", "X-Tenant-Id"])
    registry.registerComponent("securitySchemes", name, { type: "apiKey", in: "header", name });
  registry.registerComponent("securitySchemes", "Bearer", { type: "http", scheme: "bearer" });
  app.get(OPENAPI, (c) => {
    const document = app.getOpenAPI31Document({
      openapi: "3.1.0",
      info: { title: "Deployment control plane", version: "0.1.0" },
      servers: [{ url: "/" }],
      security: [
        { "X-Api-Key": [], "X-Tenant-Id": [] },
        { Bearer: [], "X-Tenant-Id": [] },
      ],
    });
    return c.json(recordOf(withLimits(withoutNullComponents(document))));
  });
}

/** Clients rely on the platform's time; answers carry variables and keys. Agent servers set their own headers. */
function setHeaders({ clock }: Platform): MiddlewareHandler<Env> {
  return async (c, next) => {
    await next();
    if (c.req.path.startsWith("/agents/")) return;
    c.header("Date", new Date(clock.now()).toUTCString());
    c.header("Cache-Control", "no-store");
  };
}
