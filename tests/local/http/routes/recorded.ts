import { getRequestListener } from "@hono/node-server";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApp } from "../../../../local/http/app";
import { handleRequests } from "../../../../local/http/server";
import { createDeployment } from "../../../../local/control-plane/deployments";
import { closeParts, makeParts } from "../../rollout/parts";
import { addWorkspace } from "../../../../local/platform/workspaces";

/** A platform whose only deployment is served by a server of the test. */
export interface RecordedPlatform {
  /** The deployment's address. */
  readonly url: string;
  readonly origin: string;
  readonly apiKey: string;
  readonly adminKey: string;
  /** The server of the test. */
  readonly agentServer: Server;
  close(): Promise<void>;
}

/** Starts one; `agent` answers what is handed on. */
export async function startRecorded(
  settings: { agentAuth: boolean; allowOrigins: readonly string[] },
  agent: RequestListener,
): Promise<RecordedPlatform> {
  const folder = await mkdtemp(join(tmpdir(), "agentserver-recorded-"));
  const agentServer = await listening(agent);
  const server = await listening();
  const origin = originOf(server);
  const platform = makeParts(folder, {
    driven: { origin: async () => originOf(agentServer) },
    settings: { url: origin, listen: "127.0.0.1", ...settings },
  });
  const { admin, store, clock } = platform;
  const adminKey = "key-of-the-admin-api";
  const { fetch } = createApp(platform, { admin, adminKey, close: async () => {} });
  handleRequests(server, getRequestListener(fetch, { overrideGlobalObjects: false }));
  const workspace = addWorkspace(store, clock, "local");
  const { id } = createDeployment(platform, workspace, {
    name: "support",
    source: "external_container",
    source_config: { resource_spec: {} },
    source_revision_config: { image_uri: "registry.example.com/support:1" },
    secrets: [],
  });
  return {
    url: `${origin}/agents/${id}`,
    origin,
    apiKey: workspace.api_key,
    adminKey,
    agentServer,
    async close() {
      for (const each of [server, agentServer]) {
        each.closeAllConnections();
        each.close();
      }
      await closeParts(platform);
      await rm(folder, { recursive: true });
    },
  };
}

async function listening(listener?: RequestListener): Promise<Server> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

function originOf(server: Server): string {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}
