import type { MiddlewareHandler } from "hono";
import type { Platform } from "../control-plane/platform";
import type { Env } from "./env";
import { problem } from "../control-plane/problems";

/**
 * Rejects cross-origin requests, except from the allowed origins, which get CORS headers without credentials. A request
 * without `Origin` does not come from a web page.
 */
export function requireAllowedOrigin({
  url,
  allowOrigins,
}: Pick<Platform, "url" | "allowOrigins">): MiddlewareHandler<Env> {
  return async (c, next) => {
    const { outgoing } = c.env;
    // Responses of agent servers do not pass through Hono.
    if (allowOrigins.length > 0) outgoing.appendHeader("Vary", "Origin");
    const origin = c.req.header("Origin");
    if (origin === undefined || [url, new URL(c.req.url).origin].includes(origin)) return next();
    if (!allowOrigins.includes(origin))
      throw problem(
        403,
        `cross-origin requests from ${origin} are not allowed; allow the origin with --allow-origin`,
      );
    outgoing.setHeader("Access-Control-Allow-Origin", origin);
    outgoing.setHeader("Access-Control-Expose-Headers", "*");
    const method = c.req.header("Access-Control-Request-Method");
    if (c.req.method !== "OPTIONS" || method === undefined) return next();
    const headers = c.req.header("Access-Control-Request-Headers");
    outgoing.setHeader("Access-Control-Allow-Methods", method);
    if (headers !== undefined) outgoing.setHeader("Access-Control-Allow-Headers", headers);
    outgoing.appendHeader("Vary", [
      "Access-Control-Request-Method",
      "Access-Control-Request-Headers",
    ]);
    return c.body(null, 204);
  };
}
