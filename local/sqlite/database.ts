import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync } from "node:fs";
import { basename } from "node:path";
import type Libsql from "libsql";
import { z } from "zod";
import { messageOf } from "../../shared/errors";

type Value = string | number | null;

/** Options of an opened file. */
export interface DatabaseOptions {
  /** `exclusive`: no other process can open the file until `close()`. `shared`: a write waits up to 5 s for another process's. */
  readonly access: "exclusive" | "shared";
  /** The SQL that creates the tables of a new file. A file with other tables is refused. */
  readonly schema: string;
}

const LOCK_TIMEOUT_MS = 5_000;

const SQLite = loadLibrary();

/** Its binaries are optional packages. Throws an error of the code `MODULE_NOT_FOUND`, as Node does, that says what to do. */
function loadLibrary(): typeof Libsql {
  try {
    return require("libsql");
  } catch (error) {
    const [, missing] = /^Cannot find module '(@libsql\/[^']+)'/.exec(messageOf(error)) ?? [];
    if (missing === undefined) throw error;
    const message = `SQLite for this machine, the optional package ${missing}, is not installed; install again without --omit=optional: \`npm install --include=optional\``;
    throw Object.assign(new Error(message, { cause: error }), { code: "MODULE_NOT_FOUND" });
  }
}

const Version = z.object({ user_version: z.int(), tables: z.int() });
const Writes = z.object({ writes: z.int() });

/** Another release has created the file, with other tables. */
export class OtherSchemaError extends Error {
  override readonly name = "OtherSchemaError";
}

/**
 * One SQLite file; calls are synchronous. What is committed survives the death of the process, not a loss of power.
 * Statements are prepared once and kept, so their texts should be few.
 */
export class Database {
  readonly #connection: Libsql.Database;
  readonly #access: DatabaseOptions["access"];
  readonly #statements = new Map<string, Libsql.Statement<Value[]>>();

  /**
   * Opens the file, or creates it with mode 0600 if it is missing. Throws `OtherSchemaError` before anything is written,
   * and `SqliteError` (`SQLITE_BUSY` if another process holds the file).
   */
  constructor(path: string, { access, schema }: DatabaseOptions) {
    // An existing file is not opened here: closing it would release the lock that this process may hold on it.
    if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
    this.#access = access;
    this.#connection = new SQLite(path, access === "shared" ? { timeout: LOCK_TIMEOUT_MS } : {});
    try {
      // The lock ends with the process, however that ends.
      if (access === "exclusive") this.#connection.pragma("locking_mode=EXCLUSIVE");
      const isNew = this.#isNew(basename(path), schema);
      for (const pragma of ["journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"])
        this.#connection.pragma(pragma);
      if (isNew) this.transaction(() => this.#create(basename(path), schema));
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** The first row, or undefined. */
  get<Row>(row: z.ZodType<Row>, sql: string, ...values: Value[]): Row | undefined {
    return this.all(row, sql, ...values)[0];
  }

  /** All rows at once: an iterator that is left early would keep its lock. */
  all<Row>(row: z.ZodType<Row>, sql: string, ...values: Value[]): Row[] {
    return this.#statement(sql)
      .all(...values)
      .map((found) => row.parse(found));
  }

  /** Returns how many rows were inserted, updated or deleted. */
  run(sql: string, ...values: Value[]): number {
    return this.#statement(sql).run(...values).changes;
  }

  /** Number of rows that this connection has written. */
  get writes(): number {
    return this.get(Writes, "SELECT total_changes() AS writes")?.writes ?? 0;
  }

  /** Runs several statements that take no values. */
  execute(sql: string): void {
    this.#connection.exec(sql);
  }

  /**
   * Stores everything that `work` writes or, if it throws, nothing; no other process writes meanwhile. Within another
   * transaction it is part of that one.
   */
  transaction<Result>(work: () => Result): Result {
    if (this.#connection.inTransaction) return work();
    this.#connection.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.#connection.exec("COMMIT");
      return result;
    } catch (error) {
      // On a full disk SQLite has rolled back by itself: a second rollback would fail and hide the reason.
      if (this.#connection.inTransaction) this.#connection.exec("ROLLBACK");
      throw error;
    }
  }

  /** Closes the file. */
  close(): void {
    if (this.#access === "exclusive") this.#unlock();
    this.#connection.close();
  }

  #isNew(file: string, schema: string): boolean {
    const sql = `SELECT user_version, (SELECT count(*) FROM sqlite_schema) AS tables FROM pragma_user_version`;
    const found = this.get(Version, sql);
    if (found?.tables === 0) return true;
    if (found?.user_version === versionOf(schema)) return false;
    throw new OtherSchemaError(`another release of pulumi-agentserver created ${file}`);
  }

  #create(file: string, schema: string): void {
    // Another process may have been faster.
    if (!this.#isNew(file, schema)) return;
    this.execute(schema);
    this.execute(`PRAGMA user_version = ${versionOf(schema)}`);
  }

  /**
   * libsql keeps a connection until the garbage collector has seen its statements, and WAL keeps the lock as long as the
   * connection. Without WAL the lock can be released by hand.
   */
  #unlock(): void {
    try {
      this.#connection.exec("PRAGMA journal_mode=DELETE; PRAGMA locking_mode=NORMAL;");
      this.#connection.exec("BEGIN; SELECT 1 FROM sqlite_schema; COMMIT");
    } catch {
      // On a full disk the WAL stays beside the file; the next start reads it and nothing is lost.
    }
  }

  #statement(sql: string): Libsql.Statement<Value[]> {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#connection.prepare<Value[]>(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** A hash of the schema, as SQLite's `user_version` can store it: it changes with every change of the tables. */
function versionOf(schema: string): number {
  return createHash("sha256").update(schema).digest().readInt32BE();
}

/** Whether another process holds the file. */
export function isBusy(error: unknown): boolean {
  return error instanceof SQLite.SqliteError && error.code === "SQLITE_BUSY";
}
