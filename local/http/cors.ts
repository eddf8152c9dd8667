import type { Context, MiddlewareHandler } from "hono";
import type { Platform } from "../control-plane/platform";
import type { Env } from "./env";
import { problem } from "../control-plane/problems";

/**
 * Rejects cross-origin requests, except from the allowed origins, which get CORS headers without credentials. What a
 * page embeds, such as a picture, names no origin; whoever else names none is no web page.
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
    if (origin === undefined && isEmbedded(c))
      throw problem(403, "pages of other origins cannot embed what an agent URL answers");
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

/** Whether a page of another origin embeds or fetches something (Fetch Metadata). Following a link is fine. */
export function isEmbedded({ req }: Context): boolean {
  const site = req.header("Sec-Fetch-Site") ?? "none";
  const isLink =
    req.header("Sec-Fetch-Mode") === "navigate" && req.header("Sec-Fetch-Dest") === "document";
  return !["none", "same-origin"].includes(site) && !isLink;
}
