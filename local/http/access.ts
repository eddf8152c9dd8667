import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import type { Context, MiddlewareHandler } from "hono";
import { problem } from "../control-plane/problems";
import { isLoopback } from "../../shared/net";
import type { Workspace } from "../store";

/** Whether two keys are equal, in a time that says nothing of where they differ. */
export function sameKey(given: string, expected: string): boolean {
  const digest = (key: string) => createHash("sha256").update(key).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** The key that a request brings: `X-Api-Key`, or `Authorization: Bearer`. */
function keyOf(c: Context): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(c.req.header("Authorization") ?? "");
  return c.req.header("X-Api-Key") ?? bearer?.[1];
}

/**
 * The workspace that a request may act in. A key belongs to one workspace, so `X-Tenant-Id` may be left out (public
 * service, "Basics"); given, it has to be that workspace. Throws 401 and 403.
 */
export function workspaceOf(c: Context, workspaces: readonly Workspace[]): Workspace {
  const key = keyOf(c);
  if (key === undefined) throw problem(401, "no API key: send it as X-Api-Key");
  const own = workspaces.filter(({ api_key }) => sameKey(key, api_key))[0];
  if (!own) throw problem(401, "the API key is not known here");
  const tenantId = c.req.header("X-Tenant-Id");
  if (tenantId !== undefined && tenantId.toLowerCase() !== own.id)
    throw problem(403, `the API key is not one of workspace ${tenantId} (X-Tenant-Id)`);
  return own;
}

/**
 * Refuses requests that name another host: a web page can make a browser send them here under a name of its own. An IP
 * address can't be such a name, so each is welcome when the platform listens beyond loopback.
 */
export function requireOwnHost(listen: string): MiddlewareHandler {
  return async (c, next) => {
    const host = (c.req.header("Host") ?? "").replace(/:\d+$/, "");
    const address = host.replace(/^\[(.*)\]$/, "$1");
    const isOwn = isLoopback(host) || isLocalName(host) || address === listen;
    if (isOwn || (!isLoopback(listen) && isIP(address))) return next();
    throw problem(403, `this platform does not answer for the host '${host}'`);
  };
}

/** Browsers resolve these names to loopback by themselves (RFC 6761 §6.3), so that no web page can bring one. */
function isLocalName(host: string): boolean {
  return /\.localhost$/i.test(host);
}
