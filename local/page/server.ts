import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { codeOf, messageOf } from "../../shared/errors";
import { createHttpServer } from "../http/server";
import { StartError } from "../platform/folder";
import { reportFailure } from "../platform/stderr";
import { PageKeys } from "./keys";
import type { PageParts } from "./parts";

const HOST = "127.0.0.1";

/** The port of the page: one that was asked for must be free, others are only preferred. */
export interface PagePort {
  readonly requested?: number | undefined;
  /** The port of the last start, or the one after the platform's. */
  readonly preferred: number;
}

/** The page's server, on loopback only, on a port of its own: agents' HTML is served on the platform's origin. */
export class PageServer {
  readonly port: number;
  readonly #server: Server;
  readonly #closing = new AbortController();

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  /** Listens, and answers once `serve` is called. Throws `StartError` if the requested port cannot be used. */
  static async listen({ requested, preferred }: PagePort): Promise<PageServer> {
    const server = createHttpServer();
    try {
      return new PageServer(server, await listenOn(server, requested ?? preferred));
    } catch (error) {
      const reason =
        codeOf(error) === "EADDRINUSE" ? "it is in use by another process" : messageOf(error);
      if (requested !== undefined)
        throw new StartError(
          `cannot show the page on port ${requested}: ${reason}; choose another port, or 0 for any free one`,
          { cause: error },
        );
      return new PageServer(server, await listenOn(server, 0));
    }
  }

  serve(parts: Omit<PageParts, "closing" | "streams" | "graphs">, adminKey: string): void {
    let listener: Promise<Listener> | undefined;
    const load = async () => {
      const { createPageApp } = await import("./app.js");
      const ofServer = { closing: this.#closing.signal, streams: { open: 0 }, graphs: new Map() };
      const page = { ...parts, ...ofServer };
      const app = createPageApp(page, new PageKeys(adminKey), this.port);
      return getRequestListener(app.fetch, { overrideGlobalObjects: false });
    };
    this.#server.on("request", (request, response) => {
      listener ??= load();
      listener
        .then((handle) => handle(request, response))
        .catch((error: unknown) => {
          reportFailure("show the page", error);
          response.destroy();
        });
    });
    this.#server.on("error", (error) => reportFailure("take connections of the page", error));
  }

  close(): void {
    this.#closing.abort();
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

async function listenOn(server: Server, port: number): Promise<number> {
  server.listen(port, HOST);
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address ? address.port : port;
}
