import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context, MiddlewareHandler } from "hono";
import { setTimeout as sleep } from "node:timers/promises";
import type { Fault, Faults } from "../admin/faults";
import type { Env } from "./env";

/** Injects the faults that match a request. */
export function injectFaults(faults: Faults): MiddlewareHandler<Env> {
  return async (c, next) => {
    const fault = faults.take(c.req.method, c.req.path);
    switch (fault?.action) {
      case "status":
        return responseOf(fault);
      case "delay":
        await sleep(fault.delayMs);
        return next();
      case "drop-before":
        return drop(c);
      case "drop-after":
        await next();
        c.res = drop(c);
        return undefined;
      case "reset":
        c.env.incoming.socket.resetAndDestroy();
        return RESPONSE_ALREADY_SENT;
      case undefined:
        return next();
    }
  };
}

function drop(c: Context<Env>): Response {
  c.env.incoming.socket.destroy();
  return RESPONSE_ALREADY_SENT;
}

/** Statuses whose responses have no body (Fetch, "null body status"). */
const NO_CONTENT = [204, 205, 304];

function responseOf({ status, headers, body }: Fault): Response {
  if (NO_CONTENT.includes(status)) return new Response(null, { status, headers });
  if (typeof body === "string") return new Response(body, { status, headers });
  const json = body ?? { detail: `the admin API asked for status ${status}` };
  return Response.json(json, { status, headers });
}
