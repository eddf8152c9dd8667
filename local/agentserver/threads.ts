import { randomUUID } from "node:crypto";
import { z } from "zod";
import type {
  CountThreads,
  CreateThread,
  SearchThreads,
  Thread,
  ThreadHistory,
  ThreadState,
  UpdateThread,
} from "../../sdk/schema/thread";
import { emptyState, stateAt } from "./checkpoint";
import { Checkpoints, CURRENT_VALUES } from "./checkpoints";
import { inTransaction, json, type ThreadDatabase } from "./database";
import { Conflict, NotFound } from "./errors";
import { conditionOf } from "./search";
import { replay } from "./supersteps";

const FreeForm = z.record(z.string(), z.unknown());
const Row = z
  .object({
    thread_id: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    metadata: json.pipe(FreeForm),
    status: z.string(),
    values: json.pipe(FreeForm).optional(),
  })
  // Only runs would put something into the configuration, and there are none.
  .transform((row) => ({ ...row, config: {} }));
const Rows = z.array(Row);
const Count = z.object({ count: z.int() });

/** The threads of one deployment. Every write is one transaction; ids are in lower case. */
export class Threads {
  readonly #database: ThreadDatabase;
  readonly #checkpoints: Checkpoints;
  readonly #now: () => Date;

  constructor(database: ThreadDatabase, now = () => new Date()) {
    this.#database = database;
    this.#checkpoints = new Checkpoints(database);
    this.#now = now;
  }

  /** Makes a thread and its history, or neither. `if_exists: "do_nothing"` answers the thread that is there, unchanged. */
  create(request: CreateThread): Thread {
    const { thread_id: threadId = randomUUID(), metadata = {}, supersteps = [] } = request;
    const now = this.#now();
    const graphId = z.string().optional().catch(undefined).parse(metadata["graph_id"]);
    const checkpoints = replay(supersteps, { threadId, graphId, now });
    return inTransaction(this.#database, () => {
      if (this.#find(threadId) === undefined) {
        this.#insert(threadId, metadata, now);
        this.#checkpoints.add(threadId, checkpoints);
      } else if (request.if_exists !== "do_nothing")
        throw new Conflict(`Thread with ID ${threadId} already exists`);
      return this.#answerOfCreate(threadId);
    });
  }

  get(threadId: string): Thread {
    const thread = this.#find(threadId);
    if (thread === undefined) throw new NotFound(`Thread with ID ${threadId} not found`);
    return thread;
  }

  /** Lays members over the metadata, one level deep. */
  update(threadId: string, { metadata = {} }: UpdateThread): Thread {
    return inTransaction(this.#database, () => {
      const merged = JSON.stringify({ ...this.get(threadId).metadata, ...metadata });
      this.#database
        .prepare("UPDATE threads SET metadata = ?, updated_at = ? WHERE thread_id = ?")
        .run(merged, this.#now().toISOString(), threadId);
      return this.get(threadId);
    });
  }

  /** Removes a thread and its history. */
  delete(threadId: string): void {
    inTransaction(this.#database, () => {
      this.get(threadId);
      this.#database.prepare("DELETE FROM threads WHERE thread_id = ?").run(threadId);
    });
  }

  /** Makes a thread with the metadata and the history, checkpoint ids included, that another has now. */
  copy(threadId: string): Thread {
    const copyId = randomUUID();
    return inTransaction(this.#database, () => {
      this.#insert(copyId, this.get(threadId).metadata ?? {}, this.#now());
      this.#checkpoints.copy(threadId, copyId);
      return this.get(copyId);
    });
  }

  /** One page of the threads that match, each with the members selected: all but `values` when nothing is. */
  search({
    limit,
    offset,
    sort_by,
    sort_order,
    select,
    ...filter
  }: SearchThreads): Partial<Thread>[] {
    const { where, parameters } = conditionOf(filter);
    const columns = select?.includes("values") ? `*, ${CURRENT_VALUES} AS "values"` : "*";
    const page = `SELECT ${columns} FROM threads WHERE ${where}
      ORDER BY ${sort_by} ${sort_order}, rowid ${sort_order} LIMIT ? OFFSET ?`;
    const threads = Rows.parse(this.#database.prepare(page).all(...parameters, limit, offset));
    if (select === undefined) return threads;
    return threads.map((thread) => Object.fromEntries(select.map((name) => [name, thread[name]])));
  }

  count(filter: CountThreads): number {
    const { where, parameters } = conditionOf(filter);
    const count = `SELECT count(*) AS count FROM threads WHERE ${where}`;
    return Count.parse(this.#database.prepare(count).get(...parameters)).count;
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

  /** The states of a thread, the newest first. */
  history(threadId: string, query: ThreadHistory): ThreadState[] {
    this.get(threadId);
    return this.#checkpoints
      .history(threadId, query)
      .map((checkpoint) => stateAt(threadId, checkpoint));
  }

  #find(threadId: string) {
    const one = "SELECT * FROM threads WHERE thread_id = ?";
    return Rows.parse(this.#database.prepare(one).all(threadId))[0];
  }

  #insert(threadId: string, metadata: Record<string, unknown>, now: Date): void {
    const time = now.toISOString();
    this.#database
      .prepare("INSERT INTO threads VALUES (?, ?, ?, 'idle', ?)")
      .run(threadId, time, time, JSON.stringify(metadata));
  }

  /** Contract, "Thread": creation answers with `values`, and without `config` when the thread is empty. */
  #answerOfCreate(threadId: string): Thread {
    const { config, ...thread } = this.get(threadId);
    const current = this.#checkpoints.current(threadId);
    return current ? { ...thread, config, values: current.values } : { ...thread, values: {} };
  }
}
