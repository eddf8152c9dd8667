import { once } from "node:events";
import type { Server } from "node:http";
import type { PlatformClock } from "./clock";
import { pathsIn, StartError } from "./folder";
import type { Store } from "../store";
import { addWorkspace, newKey } from "./workspaces";
import { codeOf, messageOf } from "../../shared/errors";

const DEFAULT_PORT = 8123;

/** What users reach a platform with; chosen once for a data folder and kept, all but the process. */
export interface PlatformIdentity {
  /** The base URL of its control plane, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  readonly apiKey: string;
  readonly workspaceId: string;
  /** Opens the admin API below `/_local/`, in the header `X-Local-Key`. */
  readonly adminKey: string;
  readonly pid: number;
}

/** Where and how to listen. */
export interface Address {
  readonly dataDir: string;
  readonly listen: string;
  /** The port asked for, if one was; 0 is any. */
  readonly port?: number | undefined;
}

/** Makes the server listen on the folder's port, and gives a new folder its identity. Throws `StartError`. */
export async function takeIdentity(
  store: Store,
  server: Server,
  clock: PlatformClock,
  address: Address,
): Promise<PlatformIdentity> {
  const kept = store.platform.get();
  if (kept && address.port && address.port !== kept.port)
    throw new StartError(
      `port ${address.port} was asked for, but ${pathsIn(address.dataDir).identity} keeps port ${kept.port}, which ` +
        "the URLs of its deployments hold: leave --port out, or choose another folder with --data-dir",
    );
  const port = await listen(server, address, kept?.port);
  const { admin_key, api_key, workspace_id } = kept ?? choose(store, clock, port);
  return {
    url: `http://${urlHost(address.listen)}:${port}`,
    port,
    apiKey: api_key,
    workspaceId: workspace_id,
    adminKey: admin_key,
    pid: process.pid,
  };
}

function choose(store: Store, clock: PlatformClock, port: number) {
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
    ? `port ${port} is taken by another process: choose one with --port, or a free one with --port 0`
    : `port ${port}, kept in ${pathsIn(dataDir).identity}, is taken by another process: end that process, or start ` +
        "with another folder (--data-dir)";
}

/** What a URL says for a listen address; one that stands for all addresses is reached through loopback. */
function urlHost(address: string): string {
  if (address === "0.0.0.0" || address === "::") return "127.0.0.1";
  return address.includes(":") ? `[${address}]` : address;
}
