import { dialectOf } from "../../../../sdk/dialect";
import { getRequestListener } from "@hono/node-server";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Admin } from "../../../../local/admin";
import { Outcomes } from "../../../../local/rollout/outcomes";
import { createApp } from "../../../../local/http/app";
import { handleRequests } from "../../../../local/http/server";
import { PlatformClock } from "../../../../local/platform/clock";
import { createDeployment } from "../../../../local/control-plane/deployments";
import { simulatedDriver } from "../../../../local/drivers/simulated";
import { Logs } from "../../../../local/logs/logs";
import { Scheduler } from "../../../../local/rollout/scheduler";
import { Store } from "../../../../local/store";
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
  const store = new Store(join(folder, "platform.db"));
  const clock = new PlatformClock();
  const logs = new Logs(store.logLines, clock);
  const agentServer = await listening(agent);
  const simulated = simulatedDriver({ clock, stageSeconds: 0 });
  const driver = { ...simulated, origin: async () => originOf(agentServer) };
  const outcomes = new Outcomes(clock, 0);
  const scheduler = new Scheduler({ store, clock, logs, driver, outcomes });
  const admin = new Admin({ store, clock, scheduler, outcomes });
  const server = await listening();
  const origin = originOf(server);
  const parts = { store, clock, logs, driver, scheduler };
  const platform = {
    ...parts,
    url: origin,
    listen: "127.0.0.1",
    hosting: undefined,
    dialect: dialectOf("agentserver"),
    ...settings,
  };
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
      await scheduler.close();
      await logs.close();
      store.close();
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
