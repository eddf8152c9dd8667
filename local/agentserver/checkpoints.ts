import { z } from "zod";
import type { ThreadHistory } from "../../sdk/schema/thread";
import { Checkpoint } from "./checkpoint";
import { contains } from "./contains";
import { json, type ThreadDatabase } from "./database";

const { shape } = Checkpoint;
const Row = Checkpoint.extend({
  metadata: json.pipe(shape.metadata),
  next: json.pipe(shape.next),
  values: json.pipe(shape.values),
});
const Rows = z.array(Row);

const ALL_OF_THREAD = "SELECT * FROM checkpoints WHERE thread_id = ?";

/** SQL of the current values of the row of `threads` at hand. */
export const CURRENT_VALUES = `COALESCE((
  SELECT "values" FROM checkpoints WHERE checkpoints.thread_id = threads.thread_id
  ORDER BY checkpoint_id DESC LIMIT 1), '{}')`;

/** The states of threads. Their ids sort by time, so the current one of a thread is the one with the highest id. */
export class Checkpoints {
  readonly #database: ThreadDatabase;

  constructor(database: ThreadDatabase) {
    this.#database = database;
  }

  add(threadId: string, checkpoints: readonly Checkpoint[]): void {
    const insert = this.#database.prepare(
      `INSERT INTO checkpoints (thread_id, checkpoint_id, parent_checkpoint_id, created_at, metadata, next, "values")
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
    for (const { metadata, next, values, ...checkpoint } of checkpoints)
      insert.run(
        threadId,
        checkpoint.checkpoint_id,
        checkpoint.parent_checkpoint_id,
        checkpoint.created_at,
        JSON.stringify(metadata),
        JSON.stringify(next),
        JSON.stringify(values),
      );
  }

  /** Gives a thread the states of another, with the same ids. */
  copy(fromThreadId: string, toThreadId: string): void {
    this.#database
      .prepare(
        `INSERT INTO checkpoints
         SELECT ?, checkpoint_id, parent_checkpoint_id, created_at, json_set(metadata, '$.thread_id', ?), next, "values"
         FROM checkpoints WHERE thread_id = ?`,
      )
      .run(toThreadId, toThreadId, fromThreadId);
  }

  current(threadId: string): Checkpoint | undefined {
    const newest = `${ALL_OF_THREAD} ORDER BY checkpoint_id DESC LIMIT 1`;
    return Rows.parse(this.#database.prepare(newest).all(threadId))[0];
  }

  get(threadId: string, checkpointId: string): Checkpoint | undefined {
    const one = `${ALL_OF_THREAD} AND checkpoint_id = ?`;
    return Rows.parse(this.#database.prepare(one).all(threadId, checkpointId))[0];
  }

  /** The newest first, those before a checkpoint, those whose metadata contains the metadata given. */
  history(threadId: string, { limit, before, metadata }: ThreadHistory): Checkpoint[] {
    const beforeId = typeof before === "object" ? before.configurable.checkpoint_id : before;
    const parameters: (string | number)[] = [threadId];
    let query = ALL_OF_THREAD;
    if (beforeId !== undefined) {
      query += " AND checkpoint_id < ?";
      parameters.push(beforeId);
    }
    if (metadata !== undefined) {
      query += ` AND ${contains("metadata")}`;
      parameters.push(JSON.stringify(metadata));
    }
    query += " ORDER BY checkpoint_id DESC LIMIT ?";
    return Rows.parse(this.#database.prepare(query).all(...parameters, limit));
  }
}
