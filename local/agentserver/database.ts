import { closeSync, openSync } from "node:fs";
import Database from "libsql";
import { z } from "zod";

/** The open file of threads; calls are synchronous. Read with `get` and `all` only: an iterator left early keeps its lock. */
export type ThreadDatabase = Database.Database;

/** How long a write waits for another process's, in milliseconds: during a roll-over two servers share the file. */
const LOCK_WAIT_MS = 5_000;

/** One text for each schema version, oldest first. A new one must leave the file usable for a server of the one before. */
const MIGRATIONS = [
  `CREATE TABLE threads (
     thread_id TEXT NOT NULL UNIQUE,
     created_at TEXT NOT NULL,
     updated_at TEXT NOT NULL,
     status TEXT NOT NULL,
     metadata TEXT NOT NULL
   );
   CREATE INDEX threads_by_creation ON threads (created_at);
   CREATE INDEX threads_by_update ON threads (updated_at);
   CREATE INDEX threads_by_status ON threads (status);
   CREATE TABLE checkpoints (
     thread_id TEXT NOT NULL REFERENCES threads (thread_id) ON DELETE CASCADE,
     checkpoint_id TEXT NOT NULL,
     parent_checkpoint_id TEXT,
     created_at TEXT NOT NULL,
     metadata TEXT NOT NULL,
     next TEXT NOT NULL,
     "values" TEXT NOT NULL,
     UNIQUE (thread_id, checkpoint_id)
   );`,
];

/**
 * Opens the file, made with mode 0600 when it is not there, and brings its schema up to date. What is committed survives
 * the death of the process, not a loss of power.
 */
export function openDatabase(path: string): ThreadDatabase {
  try {
    closeSync(openSync(path, "a", 0o600));
    return prepared(new Database(path, { timeout: LOCK_WAIT_MS }));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`open thread database '${path}': ${reason}`, { cause });
  }
}

/** A column that holds JSON as text. */
export const json = z.string().transform((text): unknown => JSON.parse(text));

/** Runs `work` alone among all processes on the file: all that it writes is kept, or, when it throws, nothing. */
export function inTransaction<Result>(database: ThreadDatabase, work: () => Result): Result {
  return database.transaction(work).immediate();
}

function prepared(database: ThreadDatabase): ThreadDatabase {
  try {
    database.pragma("journal_mode = WAL");
    database.pragma("synchronous = NORMAL");
    database.pragma("foreign_keys = ON");
    inTransaction(database, () => migrate(database));
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function migrate(database: ThreadDatabase): void {
  const Version = z.tuple([z.object({ user_version: z.int() })]);
  const [{ user_version: version }] = Version.parse(database.pragma("user_version"));
  if (version > MIGRATIONS.length)
    throw new Error(
      `it has schema ${version}, this version of the server knows up to ${MIGRATIONS.length}; ` +
        "use the newer version that wrote it",
    );
  for (const statements of MIGRATIONS.slice(version)) database.exec(statements);
  database.pragma(`user_version = ${MIGRATIONS.length}`);
}
