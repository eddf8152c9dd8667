import type { ThreadHistory } from "../../sdk/schema/thread";
import { Checkpoint } from "./checkpoint";
import { contains } from "./contains";
import type { Database } from "../sqlite/database";
import { json } from "../sqlite/json";

const { shape } = Checkpoint;
const Row = Checkpoint.extend({
  metadata: json(shape.metadata),
  next: json(shape.next),
  values: json(shape.values),
});

const COLUMNS = `checkpoint_id, parent_checkpoint_id, created_at, metadata, next, "values"`;
/** Ids are hexadecimal. */
const AFTER_EVERY_ID = "g";

/** SQL expression: the current values of a row of `threads`. */
export const CURRENT_VALUES = `COALESCE((
  SELECT "values" FROM checkpoints WHERE checkpoints.thread_id = threads.thread_id
  ORDER BY checkpoint_id DESC LIMIT 1), '{}')`;

/** The states of threads. Their ids sort by time, so a thread's current state has the highest id. */
export class Checkpoints {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  add(threadId: string, checkpoint: Checkpoint): void {
    const { metadata, next, values } = checkpoint;
    this.#database.run(
      `INSERT INTO checkpoints (thread_id, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
      threadId,
      checkpoint.checkpoint_id,
      checkpoint.parent_checkpoint_id,
      checkpoint.created_at,
      JSON.stringify(metadata),
      JSON.stringify(next),
      JSON.stringify(values),
    );
  }

  /** Copies the states of a thread to another, with the same ids. */
  copy(fromThreadId: string, toThreadId: string): void {
    this.#database.run(
      `INSERT INTO checkpoints (thread_id, ${COLUMNS})
       SELECT ?, checkpoint_id, parent_checkpoint_id, created_at, json_set(metadata, '$.thread_id', ?), next, "values"
       FROM checkpoints WHERE thread_id = ?`,
      toThreadId,
      toThreadId,
      fromThreadId,
    );
  }

  current(threadId: string): Checkpoint | undefined {
    return this.#read("ORDER BY checkpoint_id DESC LIMIT 1", threadId)[0];
  }

  get(threadId: string, checkpointId: string): Checkpoint | undefined {
    return this.#read("AND checkpoint_id = ?", threadId, checkpointId)[0];
  }

  /** The states, newest first; those before a checkpoint, that of a checkpoint, those whose metadata contains `metadata`, if set. */
  history(threadId: string, { limit, before, checkpoint, metadata }: ThreadHistory): Checkpoint[] {
    const beforeId = typeof before === "object" ? before.configurable.checkpoint_id : before;
    return this.#read(
      `AND checkpoint_id < ? AND ? IN ('', checkpoint_id) AND ${contains("metadata")} ORDER BY checkpoint_id DESC LIMIT ?`,
      threadId,
      beforeId ?? AFTER_EVERY_ID,
      checkpoint?.checkpoint_id ?? "",
      JSON.stringify(metadata ?? {}),
      limit,
    );
  }

  #read(rest: string, threadId: string, ...parameters: (string | number)[]): Checkpoint[] {
    const query = `SELECT ${COLUMNS} FROM checkpoints WHERE thread_id = ? ${rest}`;
    return this.#database.all(Row, query, threadId, ...parameters);
  }
}
