import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
// Must load before a server replaces the global Response: a proxy in the same process (in tests) needs the original.
import "@hono/node-server/utils/response";
import { createApp } from "./app";
import { Assistants } from "./assistants";
import { openThreadDatabase } from "./database";
import type { AgentServerSettings } from "./settings";
import { Threads } from "./threads";
import { packageVersion } from "./version";

export type AgentServerOptions = AgentServerSettings & {
  /** If it is set, every request but `GET /ok` must have it. */
  readonly apiKey?: string;
  /** The time of threads and of `Date`, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number;
};

/** A running agent server. */
export interface RunningAgentServer {
  /** For example `http://127.0.0.1:40001`. */
  readonly url: string;
  readonly port: number;
  /** Stops accepting connections, waits up to 5 s for running requests, then closes the database. */
  close(): Promise<void>;
}

const HOST = "127.0.0.1";
const DRAIN_LIMIT_MS = 5_000;
const IDLE_CHECK_MS = 20;

/**
 * Starts the built-in agent server, which stores threads and assistants and runs no graphs, on loopback; resolves when it accepts
 * requests. Several may share a database, and see each other's writes at once.
 */
export async function startAgentServer(options: AgentServerOptions): Promise<RunningAgentServer> {
  const database = openThreadDatabase(options.database);
  const info = {
    server: "pulumi-agentserver",
    version: packageVersion(),
    graphs: options.graphs,
    variables: options.variables.toSorted(),
    commit: options.commit,
    host: { host_revision_id: options.revision ?? null },
    flags: { assistants: true, crons: false, runs: false },
  };
  try {
    const { apiKey, now = Date.now } = options;
    const clock = () => new Date(now());
    const threads = new Threads(database, clock);
    const assistants = new Assistants(database, options.graphs, clock);
    assistants.createDefaults();
    const app = createApp({ threads, assistants }, info, apiKey);
    const server = serve(getRequestListener(app.fetch), now);
    const port = await listen(server, options.port ?? 0);
    const finish = () => stop(server).finally(() => database.close());
    let finished: Promise<void> | undefined;
    return { url: `http://${HOST}:${port}`, port, close: () => (finished ??= finish()) };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** While it stops, each response closes its connection, so that a busy client does not keep it open. */
function serve(listener: ReturnType<typeof getRequestListener>, now: () => number): Server {
  const server = createServer((request, response) => {
    response.setHeader("Date", new Date(now()).toUTCString());
    response.shouldKeepAlive &&= server.listening;
    // The listener responds to every failure itself.
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
  const limit = setTimeout(() => server.closeAllConnections(), DRAIN_LIMIT_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(limit);
}
