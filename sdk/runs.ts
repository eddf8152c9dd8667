import { path } from "./path";
import type { CreateRun, RunValues } from "./schema";
import type { CallOptions, Transport } from "./transport";

/** How long a run is waited for. */
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
   * Lets a graph work on a thread and waits until it is through; the values after it. A run that failed is answered too:
   * `__error__` is in the values then. Throws a `RequestError`; the run goes on where the wait ended too early.
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
      answer: (schema) => schema.RunValues,
    });
  }
}
