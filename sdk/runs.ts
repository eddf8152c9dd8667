import { path } from "./path";
import type { CreateRun, RunValues } from "./schema";
import type { CallOptions, Transport } from "./transport";

/** Options of a run. */
export interface RunOptions extends CallOptions {
  /** A run may take longer than any other request. @default 300 */
  readonly timeoutSeconds?: number | undefined;
}

const TIMEOUT_SECONDS = 300;

/** Runs of a deployed agent server; not in the contract, and the built-in server has none. */
export class Runs {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Runs a graph on a thread and returns the values after it; those of a run that failed contain `__error__`. Throws a
   * `RequestError`; after a timeout the run continues on the server.
   */
  wait(
    threadId: string,
    body: CreateRun,
    { timeoutSeconds = TIMEOUT_SECONDS, ...options }: RunOptions = {},
  ): Promise<RunValues> {
    return this.#transport.request({
      ...options,
      action: "run on thread",
      subject: threadId,
      method: "POST",
      path: path`/threads/${threadId}/runs/wait`,
      body,
      timeoutSeconds,
      response: (schema) => schema.RunValues,
    });
  }
}
