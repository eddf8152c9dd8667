import { once } from "node:events";
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as send,
  type ServerResponse,
} from "node:http";
import { buffer } from "node:stream/consumers";
import { z } from "zod";

/**
 * The fates of one request; a fault that says `after` comes when the server has done its work. Of a `late` one the client
 * loses the connection, and the server gets it when later ones have passed it. With `not found yet` and `old list` the
 * client reads a replica that lacks what was just created; an `old response` to a PATCH is the thing as it was read before. Errors quote the request, as those of servers do.
 */
export const FAULTS = [
  "lost before",
  "lost after",
  "reset",
  "429",
  "500",
  "502 before",
  "502 after",
  "503",
  "stale",
  "cut off",
  "half a body",
  "late",
  "not found yet",
  "old list",
  "old response",
  "refused",
] as const;
export type Fault = (typeof FAULTS)[number] | "401" | "kill";

/** A request on its way through the proxy. */
export interface Passing {
  readonly method: string;
  /** With its query. */
  readonly path: string;
}

/** Decides what becomes of requests, and learns their answers. */
export interface FaultInjector {
  /** Called first, as each request comes. */
  readonly meet: (passing: Passing) => Promise<void>;
  /** Called as each request comes, and again when the server has done its work. */
  readonly at: (passing: Passing, moment: "before" | "after") => Fault | undefined;
  /** Called with what the server has answered. */
  readonly remember: (passing: Passing, answer: Answer) => void;
  /** An older answer to the same read, where there is one that a replica may still give. */
  readonly staleAnswer: (passing: Passing) => Answer | undefined;
  /** The last answer to a read of this path. */
  readonly formerAnswer?: (passing: Passing) => Answer | undefined;
  /** Whether replicas may lack what was created at this time. */
  readonly isRecent?: (createdAt: string) => boolean;
  /** The answer as this service shows it. */
  readonly shown?: (passing: Passing, answer: Answer) => Answer;
  /** Called with a late request, which it sends later. */
  readonly delay?: (passing: Passing, send: () => Promise<Answer>) => void;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A proxy in front of a server that loses, delays and changes answers as a fault injector says. */
export interface Proxy {
  readonly url: string;
  injector: FaultInjector | undefined;
  close(): Promise<void>;
}

const Address = z.object({ port: z.int() });
const PAGE = "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>";

/** `keyOf` is the key that the server knows in place of that of a request's headers. */
export async function startProxy(
  target: string,
  keyOf: (headers: IncomingHttpHeaders) => string | undefined = () => undefined,
): Promise<Proxy> {
  const agent = new Agent({ keepAlive: true });
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  const proxy: Proxy = {
    url: "",
    injector: undefined,
    async close() {
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const { method = "GET", headers, url: path = "/" } = request;
    const { injector } = proxy;
    const passing = { method, path };
    const key = keyOf(headers);
    const known = key === undefined ? headers : { ...headers, "x-api-key": key };
    const reach = () => forward(target, agent, { method, path, headers: known }, body);
    await injector?.meet(passing);
    const before = injector?.at(passing, "before");
    if (before === "late") injector?.delay?.(passing, reach);
    if (before !== undefined && failBefore(before, response, body)) return;
    const former = before === "old response" ? injector?.formerAnswer?.(passing) : undefined;
    const stale = before === "stale" ? injector?.staleAnswer(passing) : undefined;
    const answer = stale ?? (await reach());
    if (stale === undefined) injector?.remember(passing, answer);
    const fault = before ?? injector?.at(passing, "after");
    if (fault !== undefined && failAfter(fault, response, answer)) return;
    const seen =
      fault === "old list" && injector ? withoutRecent(answer, injector) : (former ?? answer);
    const shown = injector?.shown?.(passing, seen) ?? seen;
    response.writeHead(shown.status, headersOf(shown)).end(shown.body);
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = Address.parse(server.address());
  return Object.assign(proxy, { url: `http://127.0.0.1:${port}` });
}

/** Whether the request ends here. */
function failBefore(fault: Fault, response: ServerResponse, body: Buffer): boolean {
  const fail = (status: number, words: string, headers = {}): boolean => {
    const detail = `${words} ${body.toString()}`.trim();
    response.writeHead(status, headers).end(JSON.stringify({ detail }));
    return true;
  };
  switch (fault) {
    case "kill":
    case "late":
    case "lost before":
      response.destroy();
      return true;
    case "reset":
      response.socket?.resetAndDestroy();
      return true;
    case "401":
      return fail(401, "API key has expired");
    case "not found yet":
      return fail(404, "not found");
    case "refused":
      return fail(422, "can't process");
    case "429":
      return fail(429, "too many requests", { "retry-after": "2" });
    case "500":
      return fail(500, "internal error");
    case "503":
      return fail(503, "unavailable", { "retry-after": "1" });
    case "502 before":
      response.writeHead(502, { "content-type": "text/html" }).end(PAGE);
      return true;
    default:
      return false;
  }
}

/** Whether the answer is lost or another one. */
function failAfter(fault: Fault, response: ServerResponse, answer: Answer): boolean {
  const half = answer.body.subarray(0, answer.body.length / 2);
  switch (fault) {
    case "kill":
    case "lost after":
      response.destroy();
      return true;
    case "502 after":
      response.writeHead(502, { "content-type": "text/html" }).end(PAGE);
      return true;
    case "cut off":
      response.writeHead(answer.status, headersOf(answer)).write(half, () => response.destroy());
      return true;
    case "half a body":
      response.writeHead(answer.status, { "content-type": "application/json" }).end(half);
      return true;
    default:
      return false;
  }
}

function headersOf({ headers, body }: Answer): Record<string, string> {
  const { "content-type": type = "application/json", date, allow } = headers;
  return {
    "content-type": type,
    "content-length": String(body.length),
    ...(date !== undefined && { date }),
    ...(allow !== undefined && { allow }),
  };
}

const Items = z.array(z.looseObject({ created_at: z.string() }));
const List = z.looseObject({ resources: Items });

/** A list without what was just created. */
function withoutRecent(answer: Answer, injector: FaultInjector): Answer {
  const body: unknown = JSON.parse(answer.body.toString());
  const older = (items: z.infer<typeof Items>) =>
    items.filter(({ created_at }) => injector.isRecent?.(created_at) !== true);
  const items = Items.safeParse(body).data;
  const list = List.safeParse(body).data;
  const seen = items ? older(items) : list ? { ...list, resources: older(list.resources) } : body;
  return { ...answer, body: Buffer.from(JSON.stringify(seen)) };
}

async function forward(
  target: string,
  agent: Agent,
  { method, path, headers }: Passing & Pick<IncomingMessage, "headers">,
  body: Buffer,
): Promise<Answer> {
  const { connection: _, ...rest } = headers;
  const own = { ...rest, host: new URL(target).host };
  const outgoing = send(`${target}${path}`, { method, headers: own, agent });
  outgoing.end(body);
  const [answer]: [IncomingMessage] = await once(outgoing, "response").then(([first]) => [first]);
  return { status: answer.statusCode ?? 502, headers: answer.headers, body: await buffer(answer) };
}
