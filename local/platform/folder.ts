import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { isBusy, NewerSchemaError } from "../sqlite/database";
import { Store } from "../store";
import { messageOf } from "../../shared/errors";

/** The platform cannot start; the message names the reason and what to do. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** The paths in a data folder. */
export function pathsIn(dataDir: string) {
  const folder = resolve(dataDir);
  return {
    folder,
    database: join(folder, "platform.db"),
    identity: join(folder, "platform.json"),
  } as const;
}

/**
 * Creates the folder if it is missing, with mode 0700, and opens its store. The store is the lock: one process holds it
 * until it ends. Throws `StartError`.
 */
export function openFolder(dataDir: string): Store {
  const { folder, database } = pathsIn(dataDir);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // A folder with other content keeps its mode. What is private in it has a mode of its own.
    if (readdirSync(folder).length === 0) chmodSync(folder, 0o700);
    // SQLite gives its -wal the mode of the database.
    if (existsSync(database)) chmodSync(database, 0o600);
    return new Store(database);
  } catch (error) {
    throw new StartError(`cannot use data folder ${folder}: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  const other = "or choose another folder with --data-dir";
  if (isBusy(error)) return `another process uses it: stop that process, ${other}`;
  return error instanceof NewerSchemaError ? `${error.message}, ${other}` : messageOf(error);
}

/** Removes the database of a platform that did not start for the first time. Its store must be closed. */
export function removeDatabase(dataDir: string): void {
  const { database } = pathsIn(dataDir);
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${database}${suffix}`, { force: true });
}

/** Writes `platform.json`, the object that `local --json` prints, atomically. */
export function writeIdentity(dataDir: string, identity: object): void {
  const { identity: path } = pathsIn(dataDir);
  writeFileSync(`${path}.new`, `${JSON.stringify(identity, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Wraps an error of the start with the data folder's path. */
export function toStartError(error: unknown, dataDir: string): StartError {
  if (error instanceof StartError) return error;
  const reason = messageOf(error);
  const { folder } = pathsIn(dataDir);
  return new StartError(`cannot start on data folder ${folder}: ${reason}`, { cause: error });
}
