import { getRequestListener } from "@hono/node-server";
import { once } from "node:events";
import { createServer, type RequestListener, type Server as HttpServer } from "node:http";
import type { Server } from "node:net";
import { forward, type ProxyTarget } from "../../local/proxy/proxy";
import { portOf, type startServer } from "../support/http";

/** Has a server listen on a free port of this machine. Returns its origin. */
export async function listen(server: Server): Promise<string> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${portOf(server.address())}`;
}

/** Closes a server with all connections to it. */
export function closeNow(server: HttpServer): void {
  server.closeAllConnections();
  server.close();
}

/** The platform's side in front of agent servers: hands every request on to where `targetOf` says. */
export function inFront(targetOf: (request: Request) => ProxyTarget): RequestListener {
  return (incoming, outgoing) => {
    const hand = (request: Request) => forward(request, targetOf(request), outgoing);
    void getRequestListener(hand, { overrideGlobalObjects: false })(incoming, outgoing);
  };
}

/** A server whose responses never end; `ended` resolves when the first is closed. */
export async function startEndless(serve: typeof startServer) {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const { url } = await serve((_, response) => {
    const send = (): void => {
      while (response.write("x".repeat(65_536)));
    };
    response.on("drain", send).on("close", end);
    send();
  });
  return { url, ended };
}

/** Opens an address below which agent servers are found by name, as deployments are; a name's origin is asked for at each request. */
export async function openFront(originOf: (name: string) => Promise<string>) {
  const listener = inFront(({ url }) => {
    const name = new URL(url).pathname.split("/")[1] ?? "";
    return { origin: () => originOf(name), prefix: `/${name}` };
  });
  const server = createServer(listener);
  return {
    url: await listen(server),
    close: () => closeNow(server),
  };
}
