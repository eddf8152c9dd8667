import { randomUUID } from "node:crypto";
import { z } from "zod";
import type {
  CountThreads,
  CreateThread,
  SearchThreads,
  SelectedThread,
  StateWritten,
  Thread,
  ThreadHistory,
  ThreadState,
  UpdateState,
  UpdateThread,
} from "../../sdk/schema/thread";
import { emptyState, stateAt, stateWritten } from "./checkpoint";
import { Checkpoints } from "./checkpoints";
import type { Database } from "../sqlite/database";
import { json } from "../sqlite/json";
import { Conflict, NotFound } from "./errors";
import { Search } from "./search";
import { COPY, forkOf, replay, START, stateAfter } from "./supersteps";

const FreeForm = z.record(z.string(), z.unknown());
const Row = z
  .object({
    thread_id: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    metadata: json(FreeForm),
    status: z.string(),
    values: json(FreeForm).optional(),
  })
  // Only runs set the configuration, and this server has none.
  .transform((row) => ({ ...row, config: {} }));

/** The result of a search. */
interface Page {
  readonly threads: readonly SelectedThread[];
  /** The offset of the next page, if there is one. */
  readonly next: number | undefined;
  /** A lower bound of the number that match; exact, if there is no next page. */
  readonly total: number;
}

/** The threads of one deployment. Every write is one transaction; ids are in lower case. */
export class Threads {
  readonly #database: Database;
  readonly #checkpoints: Checkpoints;
  readonly #search: Search;
  readonly #now: () => Date;

  constructor(database: Database, now = () => new Date()) {
    this.#database = database;
    this.#checkpoints = new Checkpoints(database);
    this.#search = new Search(database);
    this.#now = now;
  }

  /** Creates a thread and its history, or neither. `if_exists: "do_nothing"` returns an existing thread unchanged. */
  create(request: CreateThread): Thread {
    const { thread_id: threadId = randomUUID(), metadata = {}, supersteps = [] } = request;
    const now = this.#now();
    const origin = { threadId, graphId: metadata["graph_id"], now };
    const checkpoints = replay(supersteps, origin);
    return this.#database.transaction(() => {
      if (this.#find(threadId) === undefined) {
        this.#insert(threadId, metadata, now);
        for (const checkpoint of checkpoints) this.#checkpoints.add(threadId, checkpoint);
      } else if (request.if_exists !== "do_nothing")
        throw new Conflict(`Thread with ID ${threadId} already exists`);
      return this.#created(threadId);
    });
  }

  get(threadId: string): Thread {
    const thread = this.#find(threadId);
    if (thread === undefined) throw new NotFound(`Thread with ID ${threadId} not found`);
    return thread;
  }

  /** Merges members into the metadata, one level deep. */
  update(threadId: string, { metadata = {} }: UpdateThread): Thread {
    return this.#database.transaction(() => {
      const merged = JSON.stringify({ ...this.get(threadId).metadata, ...metadata });
      this.#database.run("UPDATE threads SET metadata = ? WHERE thread_id = ?", merged, threadId);
      this.#touch(threadId, this.#now());
      return this.get(threadId);
    });
  }

  /** Adds a state after the newest or the named one; the thread counts as updated. */
  updateState(threadId: string, { values, as_node, ...request }: UpdateState): StateWritten {
    return this.#database.transaction(() => {
      const { metadata } = this.get(threadId);
      const newest = this.#checkpoints.current(threadId);
      const parentId = request.checkpoint?.checkpoint_id ?? request.checkpoint_id;
      const parent = parentId ? this.#checkpoints.get(threadId, parentId) : newest;
      if (parentId && !parent)
        throw new NotFound(`Thread with ID ${threadId} has no checkpoint ${parentId}`);
      const now = this.#now();
      const node = as_node ?? Object.keys(Object(parent?.metadata["writes"])).at(-1) ?? START;
      const origin = { threadId, graphId: metadata?.["graph_id"], now };
      const superstep = { updates: [{ values: values ?? {}, as_node: node }] };
      const state =
        node === COPY
          ? forkOf(parent, origin, newest)
          : { ...stateAfter(parent, superstep, origin, newest), next: [] };
      this.#checkpoints.add(threadId, state);
      this.#touch(threadId, now);
      return stateWritten(threadId, state.checkpoint_id);
    });
  }

  /** Removes a thread and its history. */
  delete(threadId: string): void {
    this.#database.transaction(() => {
      this.get(threadId);
      this.#database.run("DELETE FROM threads WHERE thread_id = ?", threadId);
    });
  }

  /** Removes the threads that runs of an assistant have worked on, with their histories. */
  deleteOf(assistantId: string): void {
    const sql = "DELETE FROM threads WHERE json_extract(metadata, '$.assistant_id') = ?";
    this.#database.run(sql, assistantId);
  }

  /** Creates a thread with the metadata and history of another, checkpoint ids included. */
  copy(threadId: string): Thread {
    const copyId = randomUUID();
    return this.#database.transaction(() => {
      this.#insert(copyId, this.get(threadId).metadata ?? {}, this.#now());
      this.#checkpoints.copy(threadId, copyId);
      return this.get(copyId);
    });
  }

  /** A page of the matching threads, with the selected members; by default all but `values`. */
  async search(query: SearchThreads): Promise<Page> {
    const { select, limit, offset } = query;
    const rows = await this.#search.page(Row, { ...query, limit: limit + 1 });
    const threads = rows.slice(0, limit);
    return {
      threads: select?.length
        ? threads.map((thread) => Object.fromEntries(select.map((name) => [name, thread[name]])))
        : threads,
      next: rows.length > limit ? offset + limit : undefined,
      total: offset + rows.length,
    };
  }

  count(filter: CountThreads): Promise<number> {
    return this.#search.count(filter);
  }

  /** The state of a thread, now or at a checkpoint. */
  state(threadId: string, checkpointId?: string): ThreadState {
    this.get(threadId);
    const checkpoint =
      checkpointId === undefined
        ? this.#checkpoints.current(threadId)
        : this.#checkpoints.get(threadId, checkpointId);
    return checkpoint ? stateAt(threadId, checkpoint) : emptyState(threadId, checkpointId ?? null);
  }

  /** The states of a thread, newest first. */
  history(threadId: string, query: ThreadHistory): ThreadState[] {
    this.get(threadId);
    return this.#checkpoints
      .history(threadId, query)
      .map((checkpoint) => stateAt(threadId, checkpoint));
  }

  #find(threadId: string) {
    const one = "SELECT * FROM threads WHERE thread_id = ?";
    return this.#database.get(Row, one, threadId);
  }

  #touch(threadId: string, now: Date): void {
    const update = "UPDATE threads SET updated_at = ? WHERE thread_id = ?";
    this.#database.run(update, now.toISOString(), threadId);
  }

  #insert(threadId: string, metadata: Record<string, unknown>, now: Date): void {
    const time = now.toISOString();
    this.#database.run(
      "INSERT INTO threads (thread_id, created_at, updated_at, status, metadata) VALUES (?, ?, ?, 'idle', ?)",
      threadId,
      time,
      time,
      JSON.stringify(metadata),
    );
  }

  /** Contract, "Thread": the response to a create has `values`, and no `config` if the thread is empty. */
  #created(threadId: string): Thread {
    const { config, ...thread } = this.get(threadId);
    const current = this.#checkpoints.current(threadId);
    return current ? { ...thread, config, values: current.values } : { ...thread, values: {} };
  }
}
