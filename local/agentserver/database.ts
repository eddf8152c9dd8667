import { closeSync, openSync } from "node:fs";
import Database from "libsql";
import { z } from "zod";
import { transaction } from "../store/transaction";
import { migrate } from "./migrations";
import { messageOf } from "../../shared/errors";

/** How long a write waits for another process's, in milliseconds: during a roll-over two servers share the file. */
const LOCK_WAIT_MS = 5_000;

/** A column that holds JSON as text. */
export const json = z.string().transform((text): unknown => JSON.parse(text));

/**
 * The SQLite file of a deployment's threads; calls are synchronous. What is committed survives the death of the process,
 * not a loss of power. Statements are prepared once and kept, so their texts should be few.
 */
export class ThreadDatabase {
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();

  /** Opens the file, made with mode 0600 when it is not there, and brings its schema up to date. */
  constructor(path: string) {
    try {
      closeSync(openSync(path, "a", 0o600));
      this.#database = open(path);
    } catch (cause) {
      const reason = messageOf(cause);
      throw new Error(`open thread database '${path}': ${reason}`, { cause });
    }
  }

  /** All rows at once: an iterator that is left early would keep its lock. */
  rows(sql: string, ...parameters: (string | number | null)[]): unknown[] {
    return this.#prepared(sql).all(...parameters);
  }

  run(sql: string, ...parameters: (string | number | null)[]): void {
    this.#prepared(sql).run(...parameters);
  }

  /** Runs `work` alone among all processes on the file: all that it writes is kept, or, when it throws, nothing. */
  transaction<Result>(work: () => Result): Result {
    return transaction(this.#database, work);
  }

  close(): void {
    this.#database.close();
  }

  #prepared(sql: string): Database.Statement {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function open(path: string): Database.Database {
  const database = new Database(path, { timeout: LOCK_WAIT_MS });
  try {
    database.pragma("journal_mode = WAL");
    database.pragma("synchronous = NORMAL");
    database.pragma("foreign_keys = ON");
    transaction(database, () => migrate(database));
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
