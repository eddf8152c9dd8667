import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Env } from "../env";

/**
 * Leads browsers to the page, which has an origin of its own: from the platform's URL, and from the link to a deployment
 * that published clients print. The key of the page is not in it.
 */
export function addPageLinks(app: OpenAPIHono<Env>, pageOrigin: string): void {
  app.get("/", (c) => c.redirect(`${pageOrigin}/`));
  app.get("/o/:workspace_id/host/deployments/:deployment_id", (c) =>
    c.redirect(`${pageOrigin}/deployments/${encodeURIComponent(c.req.param("deployment_id"))}`),
  );
}
