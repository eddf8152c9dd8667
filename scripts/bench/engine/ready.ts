// A control plane that is ready at once, in a process of its own. `GET /requests` says what came, `DELETE /` forgets all.
import { serve } from "@hono/node-server";
import { bareControlPlane } from "./control-plane";

const { app, requests, clear } = bareControlPlane();
app.get("/requests", (c) => c.json(requests()));
app.delete("/", (c) => {
  clear();
  return c.body(null, 204);
});

serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) =>
  console.log(JSON.stringify({ port })),
);
