import { getRequestListener } from "@hono/node-server";
import type { RequestListener } from "node:http";
import { forward, type ProxyTarget } from "../../local/proxy";

/** The platform's side in front of agent servers: hands every request on to where `targetOf` says. */
export function inFront(targetOf: (request: Request) => ProxyTarget): RequestListener {
  return (incoming, outgoing) => {
    const hand = (request: Request) => forward(request, targetOf(request), outgoing);
    void getRequestListener(hand, { overrideGlobalObjects: false })(incoming, outgoing);
  };
}
