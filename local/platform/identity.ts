import { once } from "node:events";
import type { Server } from "node:http";
import type { PlatformClock } from "./clock";
import { StartError } from "./folder";
import { type PlatformIdentity, pathsIn } from "./identity-file";
import type { Store } from "../store";
import { addWorkspace, newKey } from "./workspaces";
import { codeOf, messageOf } from "../../shared/errors";

export const DEFAULT_PORT = 8123;

/** The address to listen on. */
export interface Address {
  readonly dataDir: string;
  readonly listen: string;
  /** The requested port; 0 for any free one. */
  readonly port?: number | undefined;
}

/** Listens on the folder's port, and creates the identity of a new folder. Throws `StartError`. */
export async function establishIdentity(
  store: Store,
  server: Server,
  clock: PlatformClock,
  address: Address,
): Promise<Omit<PlatformIdentity, "dialect">> {
  const kept = store.platform.get();
  if (kept && address.port && address.port !== kept.port)
    throw new StartError(
      `port ${address.port} was requested, but ${pathsIn(address.dataDir).identity} has port ${kept.port}, which the ` +
        "URLs of its deployments contain: omit --port, or choose another folder with --data-dir",
    );
  const port = await listen(server, address, kept?.port);
  const { admin_key, api_key, workspace_id } = kept ?? createIdentity(store, clock, port);
  return {
    url: `http://${urlHost(address.listen)}:${port}`,
    port,
    apiKey: api_key,
    workspaceId: workspace_id,
    adminKey: admin_key,
    pid: process.pid,
  };
}

function createIdentity(store: Store, clock: PlatformClock, port: number) {
  const admin_key = newKey("admin");
  return store.transaction(() => {
    const { id: workspace_id, api_key } = addWorkspace(store, clock, "local");
    store.platform.add(port, admin_key, workspace_id);
    return { admin_key, api_key, workspace_id };
  });
}

async function listen(server: Server, address: Address, kept: number | undefined): Promise<number> {
  const port = kept ?? address.port ?? DEFAULT_PORT;
  server.listen(port, address.listen);
  try {
    await once(server, "listening");
  } catch (error) {
    throw new StartError(listenProblem(error, port, address, kept), { cause: error });
  }
  const bound = server.address();
  return typeof bound === "object" && bound ? bound.port : port;
}

function listenProblem(
  error: unknown,
  port: number,
  { dataDir, listen: host }: Address,
  kept: number | undefined,
): string {
  const reason = messageOf(error);
  if (codeOf(error) !== "EADDRINUSE") return `cannot listen on ${host}, port ${port}: ${reason}`;
  return kept === undefined
    ? `port ${port} is in use by another process: choose another with --port, or any free one with --port 0`
    : `port ${port} of ${pathsIn(dataDir).identity} is in use by another process: stop that process, or choose another ` +
        "folder with --data-dir";
}

/** The host of URLs for a listen address; loopback stands for all addresses. */
function urlHost(address: string): string {
  if (address === "0.0.0.0" || address === "::") return "127.0.0.1";
  return address.includes(":") ? `[${address}]` : address;
}
