import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { isBusy, NewerSchemaError } from "../sqlite/database";
import { Store } from "../store";
import { messageOf } from "../../shared/errors";
import { dataDirOption, pathsIn, readIdentity } from "./identity-file";

/** The platform cannot start; the message names the reason and what to do. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** What a platform writes into its data folder. */
const OWN_ENTRIES: ReadonlySet<string> = new Set([
  ".gitignore",
  "cache",
  "deployments",
  "platform.db",
  "platform.db-shm",
  "platform.db-wal",
  "platform.json",
  "platform.json.new",
]);

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
    const reason = reasonOf(error, dataDir);
    throw new StartError(`cannot use data folder ${folder}: ${reason}`, { cause: error });
  }
}

function reasonOf(error: unknown, dataDir: string): string {
  const other = "or choose another folder with --data-dir";
  if (isBusy(error)) return `${userOf(dataDir)}, ${other}`;
  return error instanceof NewerSchemaError ? `${error.message}, ${other}` : messageOf(error);
}

/** Who holds the folder. Its `platform.json` may be that of an earlier process, while a later one starts. */
function userOf(dataDir: string): string {
  const identity = identityIn(dataDir);
  if (!identity || !isRunning(identity.pid)) return "another process uses it: stop that process";
  const command = ["pulumi-agentserver local stop", ...dataDirOption(dataDir)].join(" ");
  return `the local platform at ${identity.url}, process ${identity.pid}, runs on it: use that one, end it with \`${command}\``;
}

function identityIn(dataDir: string) {
  try {
    return readIdentity(dataDir);
  } catch {
    return undefined; // the reason why the folder can't be used matters more
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Keeps git from a folder in which nothing but the platform's files is. */
export function ignoreInGit(dataDir: string): void {
  const { folder, gitignore } = pathsIn(dataDir);
  if (existsSync(gitignore) || foreignEntries(folder).length > 0) return;
  writeFileSync(gitignore, "# Keys, databases and checkouts of a local platform.\n*\n");
}

/** Removes the database of a platform that did not start for the first time. Its store must be closed. */
export function removeDatabase(dataDir: string): void {
  const { database } = pathsIn(dataDir);
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${database}${suffix}`, { force: true });
}

/** Throws `StartError` unless a platform has run on the folder and has ended. */
export function requireStopped(dataDir: string): void {
  const { folder, database } = pathsIn(dataDir);
  if (!existsSync(database))
    throw new StartError(`no local platform has run on data folder ${folder}`);
  openFolder(dataDir).close();
}

/**
 * Removes what a platform has written into its folder, and the folder where nothing else is in it; returns the names of
 * what is left. Throws `StartError` while a platform runs on it.
 */
export function removeData(dataDir: string): string[] {
  const { folder } = pathsIn(dataDir);
  requireStopped(dataDir);
  const left = foreignEntries(folder);
  const own = readdirSync(folder).filter(
    (name) => OWN_ENTRIES.has(name) && (left.length === 0 || name !== ".gitignore"),
  );
  for (const name of own)
    rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
  if (left.length === 0) rmdirSync(folder);
  return left;
}

function foreignEntries(folder: string): string[] {
  return readdirSync(folder).filter((name) => !OWN_ENTRIES.has(name));
}

/** Wraps an error of the start with the data folder's path. */
export function toStartError(error: unknown, dataDir: string): StartError {
  if (error instanceof StartError) return error;
  const reason = messageOf(error);
  const { folder } = pathsIn(dataDir);
  return new StartError(`cannot start on data folder ${folder}: ${reason}`, { cause: error });
}
