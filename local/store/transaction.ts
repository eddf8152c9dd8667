import type Libsql from "libsql";

/**
 * Runs `work` alone among all processes on the file: all of it is stored, or, when it throws, nothing. On a full disk
 * SQLite itself ends the transaction: to roll it back once more would fail too, and hide why.
 */
export function transaction<Result>(connection: Libsql.Database, work: () => Result): Result {
  connection.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    connection.exec("COMMIT");
    return result;
  } catch (error) {
    if (connection.inTransaction) connection.exec("ROLLBACK");
    throw error;
  }
}
