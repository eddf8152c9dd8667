import { createServer, type Server } from "node:http";

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
    ...limits,
  });
}
