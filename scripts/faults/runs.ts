import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { AgentServer, NotFound } from "../../sdk";
import { cronsOf } from "./crons";
import { recordOf, textOf } from "../../shared/records";

/** An agent server with runs. */
export interface ServerWithRuns {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/**
 * A stand-in for the runs that the built-in agent server does not have: the answer of each is the model in its assistant's
 * context, at once. All else is the built-in server's.
 */
export async function startRuns(target: string, now: () => number): Promise<ServerWithRuns> {
  const crons = cronsOf(now);
  const { assistants } = new AgentServer({ url: target });
  const answer = async (body: string): Promise<{ status: number; values: object }> => {
    const id = textOf(recordOf(JSON.parse(body))["assistant_id"]) ?? "";
    try {
      const { context } = await assistants.get(id);
      const content = textOf(recordOf(context)["model"]) ?? "";
      return { status: 200, values: { messages: [{ type: "ai", content }] } };
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      return { status: 404, values: { detail: "assistant not found" } };
    }
  };
  const server = createServer((incoming, outgoing) => {
    const { method = "", url = "" } = incoming;
    if (method === "GET" && url === "/info")
      return send(outgoing, 200, { version: "1", flags: {} });
    if (method === "POST" && url.endsWith("/runs/wait"))
      return void textIn(incoming)
        .then(answer)
        .then(({ status, values }) => send(outgoing, status, values))
        .catch(() => outgoing.destroy());
    if (!url.startsWith("/runs/crons")) return forward(target, incoming, outgoing);
    void textIn(incoming).then((body) => {
      const said = crons(method, url, body);
      const date = new Date(now()).toUTCString();
      send(outgoing, said?.status ?? 404, said?.values, { date });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(
  outgoing: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  outgoing.writeHead(status, { "content-type": "application/json", ...headers });
  outgoing.end(body === undefined ? "" : JSON.stringify(body));
}

async function textIn(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString();
}

function forward(target: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, url, headers } = incoming;
  const passed = request(`${target}${url}`, { method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  passed.on("error", () => outgoing.destroy());
  incoming.pipe(passed);
}
