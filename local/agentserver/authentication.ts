import { createHash, timingSafeEqual } from "node:crypto";
import type { MiddlewareHandler } from "hono";

/** The variable of a deployment that has the key of its server. */
export const API_KEY_VARIABLE = "BUILT_IN_SERVER_API_KEY";

/** Requires the key, as `X-Api-Key` or `Authorization: Bearer`; not for `GET /ok`, which probes request. */
export function requireKey(apiKey: string): MiddlewareHandler {
  return async (context, next) => {
    const bearer = /^Bearer (.+)$/i.exec(context.req.header("authorization") ?? "")?.[1];
    const key = context.req.header("x-api-key") ?? bearer ?? "";
    if (context.req.path !== "/ok" && !timingSafeEqual(digest(key), digest(apiKey)))
      return context.json(
        { detail: "Unauthorized: send this agent server's key as X-Api-Key" },
        401,
      );
    return next();
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
