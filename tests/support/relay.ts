import type { ServerResponse } from "node:http";
import { type Received, startServer, type TestServer } from "./http";

/** Has the platform answer, with a body that is `changed` where it is JSON. */
type Pass = (changed?: (body: unknown) => unknown) => Promise<void>;

/** Answers a request itself, or has the platform answer it with `pass`. */
export type Meddle = (request: Received, response: ServerResponse, pass: Pass) => unknown;

/** A real server between a client and a control plane: a test says which requests go through, and what else happens. */
export function startRelay(
  target: string,
  meddle: Meddle,
  start = startServer,
): Promise<TestServer> {
  return start((request, response) => {
    const pass: Pass = async (changed) => {
      const { method, url, headers, body } = request;
      const kept = Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name));
      const answer = await fetch(`${target}${url}`, {
        method,
        headers: kept.map(([name, value]): [string, string] => [name, String(value)]),
        ...(body !== "" && { body }),
      });
      response.writeHead(answer.status, { "content-type": "application/json" });
      const text = await answer.text();
      response.end(changed && text !== "" ? JSON.stringify(changed(JSON.parse(text))) : text);
    };
    void meddle(request, response, pass);
  });
}

/** They are of one connection. */
const OWN_HEADERS = new Set(["host", "connection", "content-length", "accept-encoding"]);
