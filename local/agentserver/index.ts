import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
// Must load before a server replaces the global Response: a proxy in the same process (in tests) needs the original.
import "@hono/node-server/utils/response";
import { createApp } from "./app";
import { openThreadDatabase } from "./database";
import type { AgentServerSettings } from "./settings";
import { Threads } from "./threads";
import { packageVersion } from "./version";

/** `apiKey` is asked of every request but `GET /ok`; without it none is. */
export type AgentServerOptions = AgentServerSettings & { readonly apiKey?: string };

/** A running agent server. */
export interface RunningAgentServer {
  /** For example `http://127.0.0.1:40001`. */
  readonly url: string;
  readonly port: number;
  /** Takes no more connections, lets running requests finish for up to 5 s, then closes the database. */
  close(): Promise<void>;
}

const HOST = "127.0.0.1";
const FINISH_LIMIT_MS = 5_000;
const IDLE_CHECK_MS = 20;

/**
 * Starts the built-in agent server, which keeps threads and runs no graph, on loopback; resolves when it answers. Several
 * may share a database: what one has answered, the others know.
 */
export async function startAgentServer(options: AgentServerOptions): Promise<RunningAgentServer> {
  const database = openThreadDatabase(options.database);
  const info = {
    server: "pulumi-agentserver",
    version: packageVersion(),
    graphs: options.graphs,
    variables: options.variables.toSorted(),
    commit: options.commit,
  };
  try {
    const app = createApp(new Threads(database), info, options.apiKey);
    const server = serve(getRequestListener(app.fetch));
    const port = await listen(server, options.port ?? 0);
    const finish = () => stop(server).finally(() => database.close());
    let finished: Promise<void> | undefined;
    return { url: `http://${HOST}:${port}`, port, close: () => (finished ??= finish()) };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** While it stops, each answer ends its connection: a client that always has another request must not keep it open. */
function serve(listener: ReturnType<typeof getRequestListener>): Server {
  const server = createServer((request, response) => {
    response.shouldKeepAlive &&= server.listening;
    // It answers every failure by itself.
    void listener(request, response);
  });
  return server;
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, HOST);
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

async function stop(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const limit = setTimeout(() => server.closeAllConnections(), FINISH_LIMIT_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(limit);
}
