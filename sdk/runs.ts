import { timeoutSignal } from "../shared/clock";
import { named } from "./call";
import { NotFound, TimeoutError } from "./errors";
import { path } from "./path";
import type { CreateRun, RunsList, RunValues } from "./schema";
import type { CallOptions, Transport } from "./transport";

/** Options of a run. */
export interface RunOptions extends CallOptions {
  /**
   * From the call to the last byte of the response, with retries: the server's heartbeats do not prolong it.
   * @default 300
   */
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
   * `RequestError`. A run that times out, or whose signal is aborted, is cancelled before that is thrown.
   */
  async wait(
    threadId: string,
    body: CreateRun,
    { timeoutSeconds = TIMEOUT_SECONDS, signal, ...options }: RunOptions = {},
  ): Promise<RunValues> {
    const late = timeoutSignal(timeoutSeconds * 1000);
    const call = {
      ...named("run on thread", "POST", path`/threads/${threadId}/runs/wait`, threadId),
    } as const;
    let runId: string | undefined;
    try {
      return await this.#transport.request({
        ...options,
        ...call,
        body,
        signal: signal ? AbortSignal.any([signal, late]) : late,
        timeoutSeconds,
        onHead: (headers) => (runId = runIn(headers["content-location"])),
        response: (schema) => schema.RunValues,
      });
    } catch (error) {
      const isLate = late.aborted || error instanceof TimeoutError;
      if (!isLate && !signal?.aborted) throw error;
      // The server would go on: it would cost model calls, and write to the thread.
      if (runId !== undefined) await this.cancel(threadId, runId).catch(() => undefined);
      signal?.throwIfAborted();
      throw this.#transport.timeout(call, timeoutSeconds);
    }
  }

  /** The newest ten runs of a thread, newest first. */
  list(threadId: string, options?: CallOptions): Promise<RunsList> {
    return this.#transport.request({
      ...options,
      ...named("list runs of thread", "GET", path`/threads/${threadId}/runs`, threadId),
      response: (schema) => schema.RunsList,
    });
  }

  /** Cancels a run, and waits for its end. One that has ended stays as it is. Throws a `RequestError`. */
  async cancel(threadId: string, runId: string, options?: CallOptions): Promise<void> {
    try {
      await this.#transport.request({
        ...options,
        ...named("cancel run", "POST", path`/threads/${threadId}/runs/${runId}/cancel`, runId),
        query: { wait: true },
        response: (schema) => schema.NoContent,
      });
    } catch (error) {
      // The Python server has no such run once it has ended.
      if (!(error instanceof NotFound)) throw error;
    }
  }
}

/** The id in the handle of a run, which the head of a response names before the run begins: `/threads/…/runs/…`. */
function runIn(location: string | undefined): string | undefined {
  return /\/runs\/([^/?]+)/.exec(location ?? "")?.[1];
}
