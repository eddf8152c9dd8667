import type { ServerResponse } from "node:http";
import { type Received, startServer, type TestServer } from "./http";

/** Answers a request itself, or has the platform answer it with `pass`. */
type Meddle = (request: Received, response: ServerResponse, pass: () => Promise<void>) => unknown;

/** A real server between a client and a control plane: a test says which requests go through, and what else happens. */
export function startRelay(target: string, meddle: Meddle): Promise<TestServer> {
  return startServer((request, response) => {
    const pass = async (): Promise<void> => {
      const { method, url, headers, body } = request;
      const kept = Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name));
      const answer = await fetch(`${target}${url}`, {
        method,
        headers: kept.map(([name, value]): [string, string] => [name, String(value)]),
        ...(body !== "" && { body }),
      });
      response.writeHead(answer.status, { "content-type": "application/json" });
      response.end(await answer.text());
    };
    void meddle(request, response, pass);
  });
}

/** They are of one connection. */
const OWN_HEADERS = new Set(["host", "connection", "content-length", "accept-encoding"]);
