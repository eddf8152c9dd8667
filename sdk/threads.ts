import { Unprocessable } from "./errors";
import { path } from "./path";
import type {
  Checkpoint,
  CountThreads,
  CreateThread,
  SearchThreads,
  ThreadHistory,
  UpdateState,
  UpdateThread,
} from "./schema";
import {
  createdThreadOf,
  type SelectedThread,
  selectedThreadOf,
  stateOf,
  type Thread,
  threadOf,
  type ThreadState,
} from "./thread-answers";
import type { CallOptions, Transport } from "./transport";

/**
 * Threads of a deployed agent server (thread contract, "Endpoints"), the same from each of them. Every method throws a
 * `RequestError`; for a request that is refused it is an `Unprocessable`.
 */
export class Threads {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Creates a thread: empty, or with the state that its supersteps build. */
  create(body: CreateThread = {}, options?: CallOptions): Promise<Thread> {
    return this.#transport.request({
      ...options,
      action: "create thread",
      subject: body.thread_id,
      method: "POST",
      path: "/threads",
      body,
      answer: (schema) => schema.Thread.transform(createdThreadOf),
    });
  }

  get(threadId: string, options?: CallOptions): Promise<Thread> {
    return this.#transport.request({
      ...options,
      action: "get thread",
      subject: threadId,
      method: "GET",
      path: path`/threads/${threadId}`,
      answer: (schema) => schema.Thread.transform(threadOf),
    });
  }

  /** Lays members over a thread's metadata, one level deep. Not in the contract: the real servers offer it. */
  update(threadId: string, body: UpdateThread, options?: CallOptions): Promise<Thread> {
    return this.#transport.request({
      ...options,
      action: "update thread",
      subject: threadId,
      method: "PATCH",
      path: path`/threads/${threadId}`,
      body: { metadata: {}, ...body }, // which the JavaScript server insists on
      answer: (schema) => schema.Thread.transform(threadOf),
    });
  }

  /** Deletes a thread with its states. Not in the contract: the real servers offer it. */
  delete(threadId: string, options?: CallOptions): Promise<void> {
    return this.#transport.request({
      ...options,
      action: "delete thread",
      subject: threadId,
      method: "DELETE",
      path: path`/threads/${threadId}`,
      answer: (schema) => schema.NoContent,
    });
  }

  /** The state of a thread, now or at a checkpoint of its history. */
  state(threadId: string, checkpointId?: string, options?: CallOptions): Promise<ThreadState> {
    const state = path`/threads/${threadId}/state`;
    return this.#transport.request({
      ...options,
      action: "get state of thread",
      subject: threadId,
      method: "GET",
      path: checkpointId === undefined ? state : `${state}${path`/${checkpointId}`}`,
      answer: (schema) => schema.ThreadState.transform(stateOf),
    });
  }

  /**
   * Adds what a node is taken to have written to a thread's state; the name of the new state. Not in the contract: the real
   * servers offer it, for threads that have a graph.
   */
  async updateState(
    threadId: string,
    body: UpdateState,
    options?: CallOptions,
  ): Promise<Checkpoint> {
    const written = await this.#transport.request({
      ...options,
      action: "update state of thread",
      subject: threadId,
      method: "POST",
      path: path`/threads/${threadId}/state`,
      body,
      answer: (schema) => schema.StateWritten,
    });
    return written.checkpoint;
  }

  /** The states a thread went through, the newest first; of these the newest one only, unless `limit` says more. */
  async history(
    threadId: string,
    { before, ...body }: Partial<ThreadHistory> = {},
    options?: CallOptions,
  ): Promise<ThreadState[]> {
    const ask = (from: Pick<ThreadHistory, "before">) =>
      this.#transport.request({
        ...options,
        action: "get history of thread",
        subject: threadId,
        method: "POST",
        path: path`/threads/${threadId}/history`,
        body: { limit: 1, ...body, ...from },
        answer: (schema) => schema.ThreadState.transform(stateOf).array(),
      });
    if (before === undefined) return ask({});
    const id = typeof before === "string" ? before : before.configurable.checkpoint_id;
    try {
      return await ask({ before: { configurable: { checkpoint_id: id } } });
    } catch (error) {
      if (!refusesObject(error)) throw error;
      return ask({ before: id });
    }
  }

  /** Copies a thread with its history; the copy goes its own way from then on. */
  copy(threadId: string, options?: CallOptions): Promise<Thread> {
    return this.#transport.request({
      ...options,
      action: "copy thread",
      subject: threadId,
      method: "POST",
      path: path`/threads/${threadId}/copy`,
      body: {},
      answer: (schema) => schema.Thread.transform(threadOf),
    });
  }

  /** One page of the threads that match; with `select` each has the members that it names, and no others. */
  search(body?: Partial<Omit<SearchThreads, "select">>, options?: CallOptions): Promise<Thread[]>;
  search(body: Partial<SearchThreads>, options?: CallOptions): Promise<SelectedThread[]>;
  search(
    { select = [], ...body }: Partial<SearchThreads> = {},
    options?: CallOptions,
  ): Promise<SelectedThread[]> {
    const isWhole = select.length === 0;
    return this.#transport.request<SelectedThread[]>({
      ...options,
      action: "search threads",
      method: "POST",
      path: "/threads/search",
      body: isWhole ? body : { ...body, select },
      answer: ({ Thread, SelectedThread }) =>
        isWhole
          ? Thread.transform(threadOf).array()
          : SelectedThread.transform((thread) => selectedThreadOf(thread, select)).array(),
    });
  }

  /** How many threads match. Not in the contract: the real servers offer it. */
  count(body: CountThreads = {}, options?: CallOptions): Promise<number> {
    return this.#transport.request({
      ...options,
      action: "count threads",
      method: "POST",
      path: "/threads/count",
      body,
      answer: (schema) => schema.Count,
    });
  }
}

/** The JavaScript server takes the text alone for `before`, the Python server the object alone. */
function refusesObject(error: unknown): boolean {
  return error instanceof Unprocessable && error.problems.some(({ loc }) => loc[0] === "before");
}
