import { path } from "./path";
import type {
  CreateThread,
  SearchThreads,
  ServerInfo,
  Thread,
  ThreadHistory,
  ThreadState,
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

  /** One page of the threads that match. */
  search(body: Partial<SearchThreads> = {}, options?: CallOptions): Promise<Thread[]> {
    return this.#transport.request({
      ...options,
      action: "search threads",
      method: "POST",
      path: "/threads/search",
      body,
      answer: (schema) => schema.Thread.array(),
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
