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
  meet?(passing: Passing): Promise<void>;
  /** Called as each request comes, and again when the server has done its work. */
  at(passing: Passing, moment: "before" | "after"): Promise<Fault | undefined>;
  /** Called with what the server has answered. */
  remember?(passing: Passing, answer: Answer): void;
  /** Answers that are older than the service. */
  readonly replicas?: {
    staleAnswer(passing: Passing): Answer | undefined;
    formerAnswer(passing: Passing): Answer | undefined;
    withoutRecent(answer: Answer): Answer;
  };
  /** The answer as this service shows it. */
  readonly shown?: ((passing: Passing, answer: Answer) => Answer) | undefined;
  /** Called with a late request, which it sends later. */
  delay?(passing: Passing, send: () => Promise<Answer>): void;
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
    await injector?.meet?.(passing);
    const before = await injector?.at(passing, "before");
    if (before === "late") injector?.delay?.(passing, reach);
    if (before !== undefined && failBefore(before, response, body)) return;
    const replicas = injector?.replicas;
    const stale = before === "stale" ? replicas?.staleAnswer(passing) : undefined;
    const former = before === "old response" ? replicas?.formerAnswer(passing) : undefined;
    const answer = stale ?? (await reach());
    if (stale === undefined) injector?.remember?.(passing, answer);
    const fault = before ?? (await injector?.at(passing, "after"));
    if (fault !== undefined && failAfter(fault, response, answer)) return;
    const older = fault === "old list" ? replicas?.withoutRecent(answer) : former;
    const shown = injector?.shown?.(passing, older ?? answer) ?? older ?? answer;
    response.writeHead(shown.status, headersOf(shown)).end(shown.body);
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = Address.parse(server.address());
  return Object.assign(proxy, { url: `http://127.0.0.1:${port}` });
}

/** Errors of the server, with the seconds after which it may be asked again. */
const REFUSALS: Partial<Record<Fault, readonly [status: number, words: string, seconds?: number]>> =
  {
    "401": [401, "API key has expired"],
    "not found yet": [404, "not found"],
    refused: [422, "can't process"],
    "429": [429, "too many requests", 1],
    "500": [500, "internal error"],
    "503": [503, "unavailable", 1],
  };

/** Whether the request ends here. */
function failBefore(fault: Fault, response: ServerResponse, body: Buffer): boolean {
  const [status, words, seconds] = REFUSALS[fault] ?? [];
  if (status !== undefined) {
    const detail = `${words} ${body.toString()}`.trim();
    if (seconds !== undefined) response.setHeader("retry-after", seconds);
    response.writeHead(status).end(JSON.stringify({ detail }));
  } else if (fault === "502 before") failWithPage(response);
  else if (fault === "reset") response.socket?.resetAndDestroy();
  else if (["kill", "late", "lost before"].includes(fault)) response.destroy();
  else return false;
  return true;
}

function failWithPage(response: ServerResponse): void {
  response.writeHead(502, { "content-type": "text/html" }).end(PAGE);
}

/** Whether the answer is lost or another one. */
function failAfter(fault: Fault, response: ServerResponse, answer: Answer): boolean {
  const half = answer.body.subarray(0, answer.body.length / 2);
  if (fault === "502 after") failWithPage(response);
  else if (fault === "kill" || fault === "lost after") response.destroy();
  else if (fault === "cut off")
    response.writeHead(answer.status, headersOf(answer)).write(half, () => response.destroy());
  else if (fault === "half a body")
    response.writeHead(answer.status, { "content-type": "application/json" }).end(half);
  else return false;
  return true;
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
