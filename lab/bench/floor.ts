// The floor of benches: a bare Hono server whose answers are as long as a header of the request says.
import { serve } from "@hono/node-server";
import { Hono } from "hono";

const app = new Hono().all("*", async (c) => {
  await c.req.text();
  const bytes = Number(c.req.header("x-answer-bytes") ?? 2);
  return c.body(JSON.stringify("x".repeat(bytes - 2)), 200, { "Content-Type": "application/json" });
});

serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) =>
  console.log(JSON.stringify({ port })),
);
