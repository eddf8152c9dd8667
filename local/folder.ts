import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { isBusy, NewerSchemaError, Store } from "./store";

/** The platform can't start here; the message says why and what to do. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** What `local` prints and `platform.json` holds. */
export interface Printed {
  readonly url: string;
  readonly port: number;
  readonly apiKey: string;
  readonly workspaceId: string;
  readonly adminKey: string;
  readonly pid: number;
}

/** The paths in a data folder. */
export function pathsIn(dataDir: string) {
  const folder = resolve(dataDir);
  return {
    folder,
    database: join(folder, "platform.db"),
    printed: join(folder, "platform.json"),
    logs: join(folder, "logs"),
  } as const;
}

/**
 * Makes the folder when it is not there, for this user's eyes only, and opens its store. The store is the lock: one
 * process has it, and its end, however it comes, gives it back. Throws `StartError`.
 */
export function openFolder(dataDir: string): Store {
  const { folder, database } = pathsIn(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  // SQLite gives its -wal the mode of the database. A file that is there is not opened: its close would end the lock
  // that this very process may have on it.
  if (existsSync(database)) chmodSync(database, 0o600);
  else closeSync(openSync(database, "wx", 0o600));
  try {
    return new Store(database);
  } catch (error) {
    if (isBusy(error))
      throw new StartError(
        `data folder ${folder} is in use by another process: stop that one, or choose another with --data-dir`,
        { cause: error },
      );
    if (error instanceof NewerSchemaError)
      throw new StartError(`cannot open ${database}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Writes `platform.json`, whole or not at all. */
export function writePrinted(dataDir: string, printed: Printed): void {
  const { printed: path } = pathsIn(dataDir);
  writeFileSync(`${path}.new`, `${JSON.stringify(printed, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
