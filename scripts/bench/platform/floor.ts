// The floor of the bench `platform`: a bare Hono server with constant answers of the sizes given as arguments.
import { serve } from "@hono/node-server";
import { Hono } from "hono";

const JSON_TYPE = { "Content-Type": "application/json" };

const [page = "", one = ""] = process.argv
  .slice(2)
  .map((bytes) => JSON.stringify("x".repeat(Math.max(Number(bytes) - 2, 0))));

const app = new Hono()
  .get("/v2/deployments", (c) => c.body(page, 200, JSON_TYPE))
  .get("/v2/deployments/:id", (c) => c.body(one, 200, JSON_TYPE))
  .post("/v2/deployments", async (c) => {
    await c.req.text();
    return c.body(one, 201, JSON_TYPE);
  });

serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) =>
  console.log(JSON.stringify({ port })),
);
