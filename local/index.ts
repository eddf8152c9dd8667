import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { isLoopback } from "./access";
import { Admin } from "./admin";
import { createApp } from "./app";
import { PlatformClock } from "./clock";
import type { Driver } from "./drivers/driver";
import { simulatedDriver } from "./drivers/simulated";
import { openFolder, pathsIn, StartError, writePrinted } from "./folder";
import { takeIdentity } from "./identity";
import { Logs } from "./logs";
import type { Hosting } from "./platform";
import { Scheduler } from "./scheduler";
import type { Store } from "./store";

/** How to start a local platform; every member may be left out. */
export interface LocalPlatformOptions {
  /**
   * The port of a new data folder; 0 takes a free one. A folder keeps its port, since the URLs of its deployments
   * hold it: another one is refused later, 0 or none takes the kept one.
   * @default 8123
   */
  port?: number | undefined;
  /** Where everything is kept. @default ".agentserver" in the working directory */
  dataDir?: string | undefined;
  /** `process` runs agent servers; `simulated` runs nothing and only lets time pass. @default "process" */
  driver?: "process" | "simulated" | undefined;
  /** Seconds that a stage of the simulated driver takes, and a stage whose outcome the admin API decides. @default 0.2 */
  stageSeconds?: number | undefined;
  /** The names on the wire; `agentserver` are the contract's. @default "agentserver" */
  dialect?: "agentserver" | undefined;
  /** Enforces which sources a hosting model offers; without it all are accepted. */
  hosting?: Hosting | undefined;
  /** Most agent servers that run at a time. @default 10 */
  maxServers?: number | undefined;
  /** The address to listen on; one that other machines reach needs `agentAuth`. @default "127.0.0.1" */
  listen?: string | undefined;
  /** Asks for the workspace's key at agent URLs too. @default false */
  agentAuth?: boolean | undefined;
}

/** A local platform that runs in this process. */
export interface LocalPlatform {
  /** The base URL of its control plane, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  readonly apiKey: string;
  readonly workspaceId: string;
  /** Opens the admin API below `/_local/`, in the header `X-Local-Key`. */
  readonly adminKey: string;
  readonly pid: number;
  /** The admin API as functions. */
  readonly admin: Admin;
  /** Ends all work and every agent server; what was in progress goes on at the next start. */
  close(): Promise<void>;
}

/**
 * Starts a local platform in this process; resolves when it answers. Throws `StartError` when the data folder or the
 * port can't be had.
 *
 * @example
 * const platform = await startLocalPlatform({ port: 0, dataDir, driver: "simulated" });
 * // … use platform.url, platform.apiKey, platform.workspaceId
 * await platform.close();
 */
export async function startLocalPlatform(
  options: LocalPlatformOptions = {},
): Promise<LocalPlatform> {
  const settings = {
    dataDir: options.dataDir ?? ".agentserver",
    listen: options.listen ?? "127.0.0.1",
    stageSeconds: options.stageSeconds ?? 0.2,
    agentAuth: options.agentAuth ?? false,
  };
  if (!isLoopback(settings.listen) && !settings.agentAuth)
    throw new StartError(
      `other machines reach ${settings.listen}, and agent URLs ask for no key: set --agent-auth too`,
    );
  const store = openFolder(settings.dataDir);
  const server = createServer();
  try {
    return await run(store, server, { ...options, ...settings });
  } catch (error) {
    server.close();
    store.close();
    throw error;
  }
}

type Settings = LocalPlatformOptions & {
  dataDir: string;
  listen: string;
  stageSeconds: number;
  agentAuth: boolean;
};

async function run(store: Store, server: Server, settings: Settings): Promise<LocalPlatform> {
  const { dataDir, listen, stageSeconds, agentAuth } = settings;
  const clock = new PlatformClock(store.platform.get()?.clock_offset_ms);
  const driver = await makeDriver(settings, clock);
  const identity = await takeIdentity(store, server, clock, settings);
  const { url, port, adminKey } = identity;
  const logs = new Logs(pathsIn(dataDir).logs, clock);
  const admin = new Admin({ store, clock, stageSeconds });
  const scheduler = new Scheduler({ store, driver, logs, clock, outcomes: admin.outcomes });
  const { hosting } = settings;
  const app = createApp(
    { url, listen, hosting, agentAuth, store, clock, logs, driver, scheduler, admin },
    adminKey,
  );
  scheduler.start();
  server.on("request", getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  const { apiKey, workspaceId } = identity;
  writePrinted(dataDir, { url, port, apiKey, workspaceId, adminKey, pid: process.pid });
  let closed: Promise<void> | undefined;
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await scheduler.close();
    store.close();
  };
  return { ...identity, pid: process.pid, admin, close: () => (closed ??= close()) };
}

async function makeDriver(settings: Settings, clock: PlatformClock): Promise<Driver> {
  const { stageSeconds, dataDir, maxServers } = settings;
  if (settings.driver === "simulated") return simulatedDriver({ clock, stageSeconds });
  const [{ endLeftovers }, { processDriver }] = await Promise.all([
    import("./keeper.js"),
    import("./drivers/process.js"),
  ]);
  const { folder } = pathsIn(dataDir);
  await endLeftovers(folder);
  return processDriver({ dataDir: folder, maxServers: maxServers ?? 10 });
}

export { StartError } from "./folder";
export type { Admin } from "./admin";
