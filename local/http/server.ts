import {
  createServer,
  ServerResponse,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from "node:http";
import { asksForSocket } from "../proxy/headers";

const HEADERS_MS = 60_000;
const KEEP_ALIVE_MS = 75_000;

/** The longest time for the headers of a request, and the interval at which that is checked. */
interface HeaderLimits {
  readonly headersTimeout?: number;
  readonly connectionsCheckingInterval?: number;
}

/**
 * An HTTP server whose requests and responses may take any time, as streams to agent servers do, but not their headers:
 * half-open requests would keep their connections for ever. Clients that poll reuse theirs.
 */
export function createHttpServer(limits: HeaderLimits = {}): Server {
  return createServer({
    requestTimeout: 0,
    // If it is not set, Node takes that of the request.
    headersTimeout: HEADERS_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    ...UPGRADES,
    ...limits,
  });
}

/** An offer of another protocol, such as `h2c`, is a request like any other. The types of Node 22 lack the option. */
const UPGRADES = {
  shouldUpgradeCallback: ({ headers }: IncomingMessage) => asksForSocket(headers),
};

/**
 * Handles a server's requests. A request for a WebSocket is one of them, so that all its checks apply; its response can
 * be refused as any other, or give away its socket.
 */
export function handleRequests(server: Server, listener: RequestListener): void {
  server.on("request", listener);
  server.on("upgrade", (request: IncomingMessage, _: unknown, head: Buffer) => {
    const { socket } = request;
    socket.on("error", () => {}); // closes it
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once("finish", () => socket.destroySoon());
    socket.once("end", () => response.destroy());
    socket.unshift(head);
    socket.read(0); // its end is noticed while nobody reads
    listener(request, response);
  });
}
