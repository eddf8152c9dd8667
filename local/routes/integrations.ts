import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { IntegrationsList } from "../../sdk/schema";
import type { Env, Platform } from "../platform";
import { answer, orRefused } from "./route";

const list = createRoute({
  method: "get",
  path: "/v1/integrations/git_host/install",
  responses: { 200: answer(IntegrationsList, "All integrations of the workspace"), ...orRefused },
});

/** `/v1/integrations/git_host/install`. */
export function addIntegrationRoutes(app: OpenAPIHono<Env>, { store }: Platform): void {
  app.openapi(list, (c) => c.json(store.integrations.list(c.var.workspace.id), 200));
}
