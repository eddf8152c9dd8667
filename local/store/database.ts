import Libsql from "libsql";
import type { z } from "zod";
import { transaction } from "./transaction";

type Value = string | number | null;

/** One SQLite file, held by this process alone until `close()`: statements are prepared once, rows are parsed. */
export class Database {
  readonly #connection: Libsql.Database;
  readonly #statements = new Map<string, Libsql.Statement<Value[]>>();

  /** Throws `SqliteError` with code `SQLITE_BUSY` when another process holds the file. */
  constructor(path: string) {
    this.#connection = new Libsql(path);
    // The lock goes with the process, however it ends. NORMAL survives the death of the process, not of the machine.
    for (const pragma of ["locking_mode=EXCLUSIVE", "journal_mode=WAL", "synchronous=NORMAL"])
      this.#connection.pragma(pragma);
    this.#connection.pragma("foreign_keys=ON");
    this.transaction(() => undefined);
  }

  /** The first row, or undefined. */
  get<Row>(row: z.ZodType<Row>, sql: string, ...values: Value[]): Row | undefined {
    return this.all(row, sql, ...values)[0];
  }

  all<Row>(row: z.ZodType<Row>, sql: string, ...values: Value[]): Row[] {
    return this.#statement(sql)
      .all(...values)
      .map((found) => row.parse(found));
  }

  run(sql: string, ...values: Value[]): void {
    this.#statement(sql).run(...values);
  }

  /** Runs several statements that take no values. */
  execute(sql: string): void {
    this.#connection.exec(sql);
  }

  /** All of `work` or nothing is stored; within another transaction it is a part of that one. */
  transaction<Result>(work: () => Result): Result {
    if (this.#connection.inTransaction) return work();
    return transaction(this.#connection, work);
  }

  /** Gives the file back; only one file is left of it. */
  close(): void {
    try {
      // libsql keeps a connection for as long as statements of it wait for the garbage collector, and WAL keeps the
      // lock for as long as the connection: so the lock is given up by hand.
      this.#connection.exec("PRAGMA journal_mode=DELETE; PRAGMA locking_mode=NORMAL;");
      this.#connection.exec("BEGIN; SELECT 1 FROM sqlite_schema; COMMIT");
    } catch {
      // On a full disk the WAL stays beside the file: the next start reads it, and nothing is lost.
    }
    this.#connection.close();
  }

  #statement(sql: string): Libsql.Statement<Value[]> {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#connection.prepare<Value[]>(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** Whether the file is held by another process. */
export function isBusy(error: unknown): boolean {
  return error instanceof Libsql.SqliteError && error.code === "SQLITE_BUSY";
}
