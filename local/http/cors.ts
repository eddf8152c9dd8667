import type { MiddlewareHandler } from "hono";
import type { Env, Platform } from "../platform/platform";
import { problem } from "../control-plane/problems";

/**
 * Refuses what pages of other origins have a browser send, but for those that are allowed, which are answered as CORS
 * has it, without credentials. Whoever is no browser names no origin.
 */
export function requireOwnOrigin({
  url,
  allowOrigins,
}: Pick<Platform, "url" | "allowOrigins">): MiddlewareHandler<Env> {
  return async (c, next) => {
    const { outgoing } = c.env;
    // What an agent server answers goes past Hono.
    if (allowOrigins.length > 0) outgoing.appendHeader("Vary", "Origin");
    const origin = c.req.header("Origin");
    if (origin === undefined || [url, new URL(c.req.url).origin].includes(origin)) return next();
    if (!allowOrigins.includes(origin))
      throw problem(
        403,
        `a page of ${origin} has sent this, another origin than the platform: --allow-origin lets in those that it names`,
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
