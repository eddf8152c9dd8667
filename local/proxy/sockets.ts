import type { IncomingMessage, ServerResponse } from "node:http";
import { WebSocket, WebSocketServer } from "ws";
import { messageOf } from "../../shared/errors";

/** Pings pass too, so that each side notices when the other is gone. After a close the other side has a second. */
const OPTIONS = { autoPong: false, perMessageDeflate: false, closeTimeout: 1000 };

/** Close codes of a side that named none, or broke off; neither can be sent. */
const NO_CODE = 1005;
const BROKEN = 1006;
/** Tells a client to connect again. */
const SERVICE_RESTART = 1012;

/** Resolves with a WebSocket of an agent server, which is paused, or with the response that refuses it. */
export function connect(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<WebSocket | IncomingMessage> {
  const passed = Object.entries(headers).filter(([name]) => !name.startsWith("sec-websocket-"));
  const protocols = (headers["sec-websocket-protocol"]?.split(",") ?? []).map((name) =>
    name.trim(),
  );
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const upstream = new WebSocket(url, protocols, {
      ...OPTIONS,
      headers: Object.fromEntries(passed),
    });
    const giveUp = () => upstream.terminate();
    signal.addEventListener("abort", giveUp);
    upstream.on("error", reject);
    upstream.once("unexpected-response", (_, response) => resolve(response));
    upstream.once("open", () => {
      signal.removeEventListener("abort", giveUp);
      upstream.pause(); // its first messages would find nobody
      resolve(upstream);
    });
  });
}

/**
 * Answers an upgrade with the agent server's WebSocket. When the signal is aborted, both sides are closed with 1012 and
 * its reason. Calls `done` at the end.
 */
export function join(
  upstream: WebSocket,
  outgoing: ServerResponse,
  { signal, done }: { readonly signal: AbortSignal; readonly done: () => void },
): void {
  const { req: incoming } = outgoing;
  const { socket } = incoming;
  const end = () => {
    done();
    outgoing.emit("close");
  };
  const giveUp = () => upstream.terminate(); // the handshake was not valid
  outgoing.detachSocket(socket);
  socket.once("close", end).once("close", giveUp);
  const server = new WebSocketServer({
    ...OPTIONS,
    noServer: true,
    clientTracking: false,
    handleProtocols: () => upstream.protocol || false,
  });
  server.handleUpgrade(incoming, socket, Buffer.alloc(0), (client) => {
    socket.off("close", giveUp);
    relay(client, upstream);
    relay(upstream, client);
    const close = () => {
      for (const side of [client, upstream]) side.close(SERVICE_RESTART, messageOf(signal.reason));
    };
    signal.addEventListener("abort", close);
    upstream.resume();
  });
}

function relay(from: WebSocket, to: WebSocket): void {
  from.on("message", (data, isBinary) => {
    from.pause();
    to.send(data, { binary: isBinary }, () => from.resume());
  });
  from.on("ping", (data) => to.ping(data));
  from.on("pong", (data) => to.pong(data));
  from.on("error", () => {}); // a close follows
  from.once("close", (code, reason) => {
    if (code === BROKEN) to.terminate();
    else if (code === NO_CODE) to.close();
    else to.close(code, reason);
  });
}
