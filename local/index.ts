import type { Server } from "node:http";
import { type DialectName, dialectOf } from "../sdk/dialect";
import { getRequestListener } from "@hono/node-server";
import { isLoopback } from "../shared/net";
import { Admin } from "./admin";
import { packageVersion } from "./agentserver/version";
import { Outcomes } from "./rollout/outcomes";
import { createApp } from "./http/app";
import { createHttpServer, handleRequests } from "./http/server";
import { PlatformClock } from "./platform/clock";
import { createDriver, type DriverName } from "./drivers";
import type { AgentServerChoice } from "./drivers/driver";
import {
  type OpenFolder,
  openFolder,
  removeEntries,
  StartError,
  toStartError,
} from "./platform/folder";
import { DEFAULT_PORT, establishIdentity } from "./platform/identity";
import {
  DEFAULT_DATA_DIR,
  type PlatformIdentity,
  pathsIn,
  writeIdentity,
} from "./platform/identity-file";
import { pageLink, pageOrigin, PageServer } from "./page";
import { Logs } from "./logs/logs";
import type { Hosting, Platform } from "./control-plane/platform";
import { Scheduler } from "./rollout/scheduler";
import { reportFailure } from "./platform/stderr";
import type { Store } from "./store";
import { isOrigin } from "./http/origin";
import { PushPoller } from "./rollout/push-poller";

/** Options of a local platform; every member is optional. */
export interface LocalPlatformOptions {
  /**
   * The port of a new data folder; 0 for any free one. A folder keeps its port, since the URLs of its deployments contain
   * it: another is refused later, 0 or none uses the folder's.
   * @default 8123
   */
  port?: number | undefined;
  /** The data folder. @default ".agentserver" in the working directory */
  dataDir?: string | undefined;
  /** `process` runs agent servers; `simulated` runs nothing and only lets time pass. @default "process" */
  driver?: DriverName | undefined;
  /**
   * What the driver `process` serves repositories with: `real` runs their graphs; `built-in` is a small server that stores
   * threads and assistants, needs no packages and runs no graph. @default "real"
   */
  agentServer?: AgentServerChoice | undefined;
  /** Duration of a stage of the simulated driver, and of one whose outcome the admin API sets, in seconds. @default 0.2 */
  stageSeconds?: number | undefined;
  /** The names on the wire: the contract's (`agentserver`), or the public service's (`langsmith`). @default "agentserver" */
  dialect?: DialectName | undefined;
  /** Accepts only the sources that a hosting model offers. @default all */
  hosting?: Hosting | undefined;
  /** Maximum number of running agent servers. @default 10 */
  maxServers?: number | undefined;
  /** The address to listen on; any but loopback requires `agentAuth`. @default "127.0.0.1" */
  listen?: string | undefined;
  /** Requires the workspace's key at agent URLs too. @default false */
  agentAuth?: boolean | undefined;
  /**
   * The port of the page that shows deployments, threads and requests; 0 for any free one, `false` for no page. It listens
   * on loopback only. @default the port of the last start, at first the one after `port`, or any free one
   */
  pagePort?: number | false | undefined;
  /**
   * Real time, in milliseconds since 1970, to which `admin.advanceClock` adds. A constant stops the platform's clock: then
   * nothing but `advanceClock` moves it. Where a folder has later times, the clock begins after them. @default Date.now
   */
  now?: (() => number) | undefined;
  /** Origins, such as `http://localhost:3000`, whose pages may send requests to agent servers. @default the platform's own */
  allowOrigins?: readonly string[] | undefined;
}

/** A local platform that runs in this process. */
export interface LocalPlatform extends PlatformIdentity {
  /** The admin API as functions. */
  readonly admin: Admin;
  /** Resolves when it has closed, by `close()` or by the command `pulumi-agentserver local stop`. */
  readonly closed: Promise<void>;
  /** Ends all work and every agent server; the next start resumes what was in progress. */
  close(): Promise<void>;
}

/**
 * Starts a local platform in this process; resolves when it accepts requests. Throws `StartError` if the data folder or
 * the port cannot be used.
 *
 * @example
 * const platform = await startLocalPlatform({ port: 0, dataDir, driver: "simulated" });
 * // … use platform.url, platform.apiKey, platform.workspaceId
 * await platform.close();
 */
export async function startLocalPlatform(
  options: LocalPlatformOptions = {},
): Promise<LocalPlatform> {
  const { dataDir = DEFAULT_DATA_DIR, listen = "127.0.0.1", agentAuth = false } = options;
  const { allowOrigins = [] } = options;
  if (!isLoopback(listen) && !agentAuth)
    throw new StartError(
      `other machines can reach ${listen}, and agent URLs ask for no key: add --agent-auth`,
    );
  const noOrigin = allowOrigins.find((origin) => !isOrigin(origin));
  if (noOrigin !== undefined)
    throw new StartError(`'${noOrigin}' is not a valid origin, such as http://localhost:3000`);
  const opened = openFolder(dataDir);
  const server = createHttpServer();
  let page: PageServer | undefined;
  try {
    page = await listenForPage(opened.store, options);
    const settings = { ...options, dataDir, listen, agentAuth, allowOrigins };
    return await run(opened, { server, page }, settings);
  } catch (error) {
    page?.close();
    server.close();
    opened.store.close();
    if (opened.isNew) removeEntries(dataDir, opened.created);
    throw toStartError(error, dataDir);
  }
}

type Settings = LocalPlatformOptions &
  Pick<Platform, "listen" | "agentAuth" | "allowOrigins"> & { dataDir: string };

async function run(
  { store, created }: OpenFolder,
  { server, page }: { readonly server: Server; readonly page: PageServer | undefined },
  settings: Settings,
): Promise<LocalPlatform> {
  const { dataDir, listen, agentAuth, allowOrigins, hosting, port } = settings;
  const { driver: name = "process", maxServers = 10, stageSeconds = 0.2 } = settings;
  const { agentServer = "real" } = settings;
  const dialect = dialectOf(settings.dialect ?? "agentserver");
  const { platform: kept } = store;
  const clock = new PlatformClock(kept.get()?.clock_offset_ms, settings.now, kept.newestMs());
  const logs = new Logs(store.logLines, clock);
  const { folder } = pathsIn(dataDir);
  const options = { dataDir: folder, maxServers, agentServer, stageSeconds, clock, logs };
  const driver = await createDriver(name, options);
  const outcomes = new Outcomes(clock, stageSeconds);
  const scheduler = new Scheduler({ store, clock, logs, driver, outcomes });
  const { remote } = driver;
  const time = new PlatformClock();
  const poller = remote && new PushPoller({ store, clock, scheduler, logs, remote, time });
  const admin = new Admin({ store, clock, scheduler, outcomes });
  const address = { dataDir, listen, port };
  const established = await establishIdentity(store, server, clock, address);
  // No await from here on: a request that has arrived already must find its handler.
  const identity = { ...established, dialect: dialect.name };
  const { url, adminKey } = identity;
  const pageUrl = page && pageLink(page.port, adminKey);
  const identified = { ...identity, ...(pageUrl && { pageUrl }) };
  if (page) store.platform.setPagePort(page.port);
  const facts = { url, dataDir: folder, driver: name, version: packageVersion(), agentAuth };
  page?.serve({ facts, store, clock, logs, driver, admin }, adminKey);
  const parts = { store, clock, logs, driver, scheduler };
  const platform = { ...parts, url, listen, hosting, dialect, agentAuth, allowOrigins };
  const end = closeOnce(async () => {
    page?.close();
    server.close();
    await poller?.close();
    await scheduler.close();
    await logs.close();
    server.closeAllConnections();
    store.close();
  });
  const app = createApp(platform, {
    admin,
    adminKey,
    close: end.close,
    pageOrigin: page && pageOrigin(page.port),
  });
  handleRequests(server, getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  server.on("error", (error) => reportFailure("take connections", error));
  writeIdentity(dataDir, identified, created);
  scheduler.start();
  poller?.start();
  return { ...identified, admin, ...end };
}

/** Closes once, whoever asks; others can wait for the end. */
function closeOnce(close: () => Promise<void>): Pick<LocalPlatform, "closed" | "close"> {
  let begin = () => {};
  const closed = new Promise<void>((resolve) => (begin = resolve)).then(close);
  return {
    closed,
    close() {
      begin();
      return closed;
    },
  };
}

/** A page stays at its address, which is in people's bookmarks and open windows. */
async function listenForPage(
  store: Store,
  { pagePort, port = DEFAULT_PORT }: LocalPlatformOptions,
) {
  if (pagePort === false) return undefined;
  const kept = store.platform.get();
  const first = port === 0 ? 0 : port + 1;
  const preferred = kept ? (kept.page_port ?? kept.port + 1) : first;
  return PageServer.listen({ requested: pagePort || undefined, preferred: pagePort ?? preferred });
}

export { StartError } from "./platform/folder";
export type { Admin } from "./admin";
