import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { z } from "zod";
import { filterMembers } from "../../shared/records";

/** A request on its way through the proxy. */
export interface Passing {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body: Buffer;
  /** The workspace that it works in. */
  readonly workspaceId?: string | undefined;
}

type Headers = Readonly<Record<string, string>>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** What a client gets: an answer, half of one before the connection closes, or only that. */
export type Ending = Answer | { readonly cutOff: Answer } | "closed" | "reset";

/** Decides what becomes of a request, which `reach` sends to the server. */
export type Handler = (passing: Passing, reach: () => Promise<Answer>) => Promise<Ending>;

/** A proxy in front of a server. */
export interface Proxy {
  readonly url: string;
  /** @default each request reaches the server */
  handler: Handler | undefined;
  close(): void;
}

const Address = z.object({ port: z.int() });

/** `keyOf` is the key that the server knows in place of that of a request's headers. */
export async function startProxy(
  target: string,
  keyOf: (headers: Headers) => string | undefined = () => undefined,
): Promise<Proxy> {
  const server = createServer((request, response) => {
    pass(request)
      .then((ending) => finish(response, ending))
      .catch(() => response.destroy());
  });

  async function pass(request: IncomingMessage): Promise<Ending> {
    const body = await buffer(request);
    const { method = "GET", url: path = "/" } = request;
    const given = z.record(z.string(), z.string()).parse(request.headers);
    const key = keyOf(given);
    const headers = key === undefined ? given : { ...given, "x-api-key": key };
    const passing = { method, path, body, workspaceId: given["x-tenant-id"] };
    const reach = () => forward(`${target}${path}`, passing, headers);
    return proxy.handler?.(passing, reach) ?? reach();
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = Address.parse(server.address());
  const proxy: Proxy = {
    url: `http://127.0.0.1:${port}`,
    handler: undefined,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return proxy;
}

/** Those of one connection are the client's own. */
const CONNECTION = ["connection", "content-length", "host", "keep-alive", "transfer-encoding"];

async function forward(url: string, { method, body }: Passing, all: Headers): Promise<Answer> {
  const headers = filterMembers(all, (_, name) => !CONNECTION.includes(name));
  const answer = await fetch(url, { method, headers, body: body.length > 0 ? body : null });
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: Buffer.from(await answer.arrayBuffer()),
  };
}

function finish(response: ServerResponse, ending: Ending): void {
  if (ending === "closed") response.destroy();
  else if (ending === "reset") response.socket?.resetAndDestroy();
  else if ("cutOff" in ending) {
    const { status, body } = ending.cutOff;
    response.writeHead(status, headersOf(ending.cutOff));
    response.write(body.subarray(0, body.length / 2), () => response.destroy());
  } else response.writeHead(ending.status, headersOf(ending)).end(ending.body);
}

const SHOWN = ["content-type", "date", "allow", "retry-after"];

function headersOf({ headers, body }: Answer): Headers {
  const shown = filterMembers(headers, (_, name) => SHOWN.includes(name));
  return { "content-type": "application/json", ...shown, "content-length": String(body.length) };
}
