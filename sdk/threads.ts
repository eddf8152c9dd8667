import { named, ofId, type Optional, reading } from "./call";
import { Unprocessable } from "./errors";
import { walkSearch } from "./pages";
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
} from "./thread-responses";
import type { CallOptions, Transport } from "./transport";

/** Threads (the real servers). */
const LARGEST_SEARCH = 1000;
/** Each thread may come with its conversation, and a response has a limit. */
const USUAL_SEARCH = 100;

const SEARCH = reading("search threads", "/threads/search");

/**
 * Threads of a deployed agent server (thread contract, "Endpoints"), with the same results from every server. Every method
 * throws a `RequestError`; a request that is not valid is an `Unprocessable`.
 */
export class Threads {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Creates a thread: empty, or with the state that its supersteps produce. */
  create(body: CreateThread = {}, options?: CallOptions): Promise<Thread> {
    return this.#transport.request({
      ...options,
      ...named("create thread", "POST", "/threads", body.thread_id),
      body,
      response: (schema) => schema.Thread.transform(createdThreadOf),
    });
  }

  get(threadId: string, options?: CallOptions): Promise<Thread> {
    return this.#transport.request({
      ...options,
      ...named("get thread", "GET", path`/threads/${threadId}`, threadId),
      response: (schema) => ofId(schema.Thread, "thread_id", threadId).transform(threadOf),
    });
  }

  /** Merges members into a thread's metadata, one level deep. Not in the contract: the real servers offer it. */
  update(threadId: string, body: UpdateThread, options?: CallOptions): Promise<Thread> {
    return this.#transport.request({
      ...options,
      ...named("update thread", "PATCH", path`/threads/${threadId}`, threadId),
      isRepeatable: true,
      body: { ...body, metadata: body.metadata ?? {} }, // the JavaScript server requires `metadata`
      response: (schema) => schema.Thread.transform(threadOf),
    });
  }

  /** Deletes a thread with its states. Not in the contract: the real servers offer it. */
  delete(threadId: string, options?: CallOptions): Promise<void> {
    return this.#transport.request({
      ...options,
      ...named("delete thread", "DELETE", path`/threads/${threadId}`, threadId),
      response: (schema) => schema.NoContent,
    });
  }

  /** The current state of a thread, or that at a checkpoint of its history. */
  state(threadId: string, checkpointId?: string, options?: CallOptions): Promise<ThreadState> {
    const state = path`/threads/${threadId}/state`;
    return this.#transport.request({
      ...options,
      ...named(
        "get state of thread",
        "GET",
        checkpointId === undefined ? state : `${state}${path`/${checkpointId}`}`,
        threadId,
      ),
      response: (schema) => schema.ThreadState.transform(stateOf),
    });
  }

  /**
   * Updates a thread's state as if a node had written the values, and returns the checkpoint of the new state. Not in the
   * contract: the real servers offer it, for threads that have a graph.
   */
  async updateState(
    threadId: string,
    body: UpdateState,
    options?: CallOptions,
  ): Promise<Checkpoint> {
    const written = await this.#transport.request({
      ...options,
      ...named("update state of thread", "POST", path`/threads/${threadId}/state`, threadId),
      body,
      response: (schema) => schema.StateWritten,
    });
    return written.checkpoint;
  }

  /** The states of a thread, newest first. `limit` defaults to 1. */
  async history(
    threadId: string,
    { before, limit = 1, ...body }: Optional<ThreadHistory> = {},
    options?: CallOptions,
  ): Promise<ThreadState[]> {
    const fetchStates = (from: Pick<ThreadHistory, "before">) =>
      this.#transport.request({
        ...options,
        ...reading("get history of thread", path`/threads/${threadId}/history`, threadId),
        body: { limit, ...body, ...from },
        response: (schema) => schema.ThreadState.transform(stateOf).array(),
      });
    if (before === undefined) return fetchStates({});
    const id = typeof before === "string" ? before : before.configurable.checkpoint_id;
    try {
      return await fetchStates({ before: { configurable: { checkpoint_id: id } } });
    } catch (error) {
      if (!refusesObject(error)) throw error;
      return fetchStates({ before: id });
    }
  }

  /** Copies a thread with its history; later changes of either do not affect the other. */
  copy(threadId: string, options?: CallOptions): Promise<Thread> {
    return this.#transport.request({
      ...options,
      ...named("copy thread", "POST", path`/threads/${threadId}/copy`, threadId),
      body: {},
      response: (schema) => schema.Thread.transform(threadOf),
    });
  }

  /** One page of the matching threads; with `select`, only the selected members of each. */
  search(body?: Optional<Omit<SearchThreads, "select">>, options?: CallOptions): Promise<Thread[]>;
  search(body: Optional<SearchThreads>, options?: CallOptions): Promise<SelectedThread[]>;
  search(
    { select = [], ...body }: Optional<SearchThreads> = {},
    options?: CallOptions,
  ): Promise<SelectedThread[]> {
    const isWhole = select.length === 0;
    return this.#transport.request<SelectedThread[]>({
      ...options,
      ...SEARCH,
      body: isWhole ? body : { ...body, select },
      response: ({ Thread, SelectedThread }) =>
        isWhole
          ? Thread.transform(threadOf).array()
          : SelectedThread.transform((thread) => selectedThreadOf(thread, select)).array(),
    });
  }

  /** Every matching thread; with `select`, only the selected members, of which the id must be one. `limit` is the number of threads per page, 100 by default and at most 1000. */
  searchAll(
    body?: Optional<Omit<SearchThreads, "select">>,
    options?: CallOptions,
  ): AsyncIterable<Thread>;
  searchAll(body: Optional<SearchThreads>, options?: CallOptions): AsyncIterable<SelectedThread>;
  searchAll(
    { limit = USUAL_SEARCH, offset, ...filter }: Optional<SearchThreads> = {},
    options?: CallOptions,
  ): AsyncIterable<SelectedThread> {
    const fetchPage = (page: object) => this.search({ ...filter, ...page }, options);
    const idOf = (thread: SelectedThread) => thread.thread_id ?? "";
    const pages = { limit: Math.min(limit, LARGEST_SEARCH), offset };
    return walkSearch(this.#transport, SEARCH, { fetchPage, idOf, ...pages });
  }

  /** Counts the threads that match. Not in the contract: the real servers offer it. */
  count(body: CountThreads = {}, options?: CallOptions): Promise<number> {
    return this.#transport.request({
      ...options,
      ...reading("count threads", "/threads/count"),
      body,
      response: (schema) => schema.Count,
    });
  }
}

/** For `before` the JavaScript server accepts only the string, the Python server only the object. */
function refusesObject(error: unknown): boolean {
  return error instanceof Unprocessable && error.problems.some(({ loc }) => loc[0] === "before");
}
