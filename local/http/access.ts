import { timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import type { Context, MiddlewareHandler } from "hono";
import { problem } from "../control-plane/problems";
import { isLoopback } from "../../shared/net";
import type { Workspace } from "../store";

/** Compares two keys in a time that tells no more than whether their lengths differ. */
export function isSameKey(given: string, expected: string): boolean {
  const [key, other] = [Buffer.from(given), Buffer.from(expected)];
  return key.length === other.length && timingSafeEqual(key, other);
}

/** The API key of a request: `X-Api-Key` or `Authorization: Bearer`. */
function keyOf(c: Context): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(c.req.header("Authorization") ?? "");
  return c.req.header("X-Api-Key") ?? bearer?.[1];
}

/**
 * The workspace of a request's API key. A key belongs to one workspace, so `X-Tenant-Id` is optional (public service,
 * "Basics"); if set, it must be that workspace. Throws 401 and 403.
 */
export function workspaceOf(c: Context, workspaces: readonly Workspace[]): Workspace {
  const key = keyOf(c);
  if (key === undefined) throw problem(401, "missing API key; send it in the header X-Api-Key");
  const workspace = workspaces.filter(({ api_key }) => isSameKey(key, api_key))[0];
  if (!workspace) throw problem(401, "unknown API key");
  const tenantId = c.req.header("X-Tenant-Id");
  if (tenantId !== undefined && tenantId.toLowerCase() !== workspace.id)
    throw problem(403, `the API key does not belong to workspace ${tenantId} (X-Tenant-Id)`);
  return workspace;
}

/**
 * Rejects requests with a foreign `Host` (DNS rebinding): a web page can make a browser send them here under its own
 * host name. An IP address is not such a name, so all are allowed when the platform listens beyond loopback.
 */
export function requireAllowedHost(listen: string): MiddlewareHandler {
  const own = listen.toLowerCase(); // as clients send it
  return async (c, next) => {
    const host = (c.req.header("Host") ?? "").replace(/:\d+$/, "");
    const address = host.replace(/^\[(.*)\]$/, "$1");
    const isAllowed = isLoopback(host) || isLocalName(host) || address.toLowerCase() === own;
    if (isAllowed || (!isLoopback(listen) && isIP(address))) return next();
    throw problem(
      403,
      `host '${host}' is not allowed; use localhost or the address that the platform listens on`,
    );
  };
}

/** Browsers resolve these names to loopback themselves (RFC 6761 §6.3), so no web page can own one. */
function isLocalName(host: string): boolean {
  return /\.localhost$/i.test(host);
}
