import { getRequestListener } from "@hono/node-server";
import { createServer, type RequestListener } from "node:http";
import { createApp } from "../../../../local/http/app";
import { createHttpServer, handleRequests } from "../../../../local/http/server";
import { aFolder, removeFolder } from "../../children";
import { closeNow, listen } from "../../front";
import { closeParts, createOne, makeParts } from "../../rollout/parts";

export type RecordedPlatform = Awaited<ReturnType<typeof startRecorded>>;

/** Starts a platform whose only deployment is served by a server of the test; `agent` answers what is handed on. */
export async function startRecorded(
  settings: { agentAuth: boolean; allowOrigins: readonly string[] },
  agent: RequestListener,
) {
  const folder = await aFolder();
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
    /** The deployment's address. */
    url: `${origin}/agents/${id}`,
    origin,
    apiKey: workspace.api_key,
    /** The key of another workspace. */
    otherKey: admin.addWorkspace("other").apiKey,
    adminKey,
    agentServer,
    async close() {
      for (const each of [server, agentServer]) closeNow(each);
      await closeParts(platform);
      await removeFolder(folder);
    },
  };
}
