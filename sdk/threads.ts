import { path } from "./path";
import type {
  Checkpoint,
  CountThreads,
  CreateThread,
  SearchThreads,
  SelectedThread,
  ServerInfo,
  Thread,
  ThreadHistory,
  ThreadState,
  UpdateState,
  UpdateThread,
} from "./schema";
import type { CallOptions, Transport } from "./transport";

/** Threads of a deployed agent server (thread contract, "Endpoints"). Every method throws a `RequestError`. */
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
      answer: (schema) => schema.Thread,
    });
  }

  get(threadId: string, options?: CallOptions): Promise<Thread> {
    return this.#transport.request({
      ...options,
      action: "get thread",
      subject: threadId,
      method: "GET",
      path: path`/threads/${threadId}`,
      answer: (schema) => schema.Thread,
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
      body,
      answer: (schema) => schema.Thread,
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
      answer: (schema) => schema.ThreadState,
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

  /** The states a thread went through, the newest first. */
  history(
    threadId: string,
    body: Partial<ThreadHistory> = {},
    options?: CallOptions,
  ): Promise<ThreadState[]> {
    return this.#transport.request({
      ...options,
      action: "get history of thread",
      subject: threadId,
      method: "POST",
      path: path`/threads/${threadId}/history`,
      body,
      answer: (schema) => schema.ThreadState.array(),
    });
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
      answer: (schema) => schema.Thread,
    });
  }

  /** One page of the threads that match; with `select` each has the members that it names, and no others. */
  search(body?: Partial<Omit<SearchThreads, "select">>, options?: CallOptions): Promise<Thread[]>;
  search(body: Partial<SearchThreads>, options?: CallOptions): Promise<SelectedThread[]>;
  search(body: Partial<SearchThreads> = {}, options?: CallOptions): Promise<SelectedThread[]> {
    return this.#transport.request({
      ...options,
      action: "search threads",
      method: "POST",
      path: "/threads/search",
      body,
      answer: (schema) => (body.select ? schema.SelectedThread : schema.Thread).array(),
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

/** What an agent server says of itself. */
export function serverInfo(transport: Transport, options?: CallOptions): Promise<ServerInfo> {
  return transport.request({
    ...options,
    action: "get information of the agent server",
    method: "GET",
    path: "/info",
    answer: (schema) => schema.ServerInfo,
  });
}
