import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestOf,
  type ServerResponse,
} from "node:http";
import { z } from "zod";
import { filterMembers, textOf } from "../../shared/records";

/** A request on its way through the proxy. */
export interface Passing {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body: Buffer;
  /** The workspace that it works in. */
  readonly workspaceId?: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
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

interface ProxyOptions {
  /** The key that the server knows in place of that of a request's headers. @default the same */
  readonly keyOf?: (headers: IncomingHttpHeaders) => string | undefined;
  /** Called after each request that may have changed something. */
  readonly onWrite?: () => void;
}

export async function startProxy(
  target: string,
  { keyOf, onWrite }: ProxyOptions = {},
): Promise<Proxy> {
  const server = createServer((request, response) => {
    pass(request)
      .then((ending) => finish(response, ending))
      .catch(() => response.destroy());
  });

  async function pass(request: IncomingMessage): Promise<Ending> {
    const body = await bodyOf(request);
    const { method = "GET", url: path = "/", headers: given } = request;
    const key = keyOf?.(given);
    const all = key === undefined ? given : { ...given, "x-api-key": key };
    const headers = filterMembers(all, (_, name) => !CONNECTION.includes(name));
    const passing = { method, path, body, workspaceId: textOf(given["x-tenant-id"]) };
    const send = () => exchange(`${target}${path}`, passing, headers);
    const reach = () => (method === "GET" ? send() : send().finally(onWrite));
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

/** Not by `fetch`, which takes three times as long: a history sends hundreds of requests. */
export async function exchange(
  url: string,
  { method, body }: Pick<Passing, "method" | "body">,
  headers: IncomingHttpHeaders,
): Promise<Answer> {
  const sent = requestOf(url, { method, headers }).end(body);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once("response", resolve).once("error", reject);
  });
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await bodyOf(answer) };
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await message.toArray());
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

function headersOf({ headers, body }: Answer): OutgoingHttpHeaders {
  const shown = filterMembers(headers, (_, name) => SHOWN.includes(name));
  return { "content-type": "application/json", ...shown, "content-length": String(body.length) };
}
