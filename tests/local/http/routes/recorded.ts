import { getRequestListener } from "@hono/node-server";
import { createServer, type RequestListener, type Server } from "node:http";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApp } from "../../../../local/http/app";
import { createHttpServer, handleRequests } from "../../../../local/http/server";
import { listen } from "../../front";
import { closeParts, createOne, makeParts } from "../../rollout/parts";

/** A platform whose only deployment is served by a server of the test. */
export interface RecordedPlatform {
  /** The deployment's address. */
  readonly url: string;
  readonly origin: string;
  readonly apiKey: string;
  /** The key of another workspace. */
  readonly otherKey: string;
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
  const [agentServer, server] = [createServer(agent), createHttpServer()];
  const agentOrigin = await listen(agentServer);
  const origin = await listen(server);
  const platform = makeParts(folder, {
    driven: { origin: async () => agentOrigin },
    settings: { url: origin, listen: "127.0.0.1", ...settings },
  });
  const { admin } = platform;
  const adminKey = "key-of-the-admin-api";
  const { fetch } = createApp(platform, { admin, adminKey, close: async () => {} });
  handleRequests(server, getRequestListener(fetch, { overrideGlobalObjects: false }));
  const { id, workspace } = createOne(platform);
  return {
    url: `${origin}/agents/${id}`,
    origin,
    apiKey: workspace.api_key,
    otherKey: admin.addWorkspace("other").apiKey,
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
