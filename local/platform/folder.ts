import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { isBusy, OtherSchemaError } from "../sqlite/database";
import { Store } from "../store";
import { messageOf } from "../../shared/errors";
import {
  npxCommand,
  ENTRIES,
  type Entry,
  NotOwnError,
  pathsIn,
  readCreated,
  readIdentity,
  writeCreated,
} from "./identity-file";

/** The platform cannot start; the message names the reason and what to do. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** A data folder that this process holds. */
export interface OpenFolder {
  readonly store: Store;
  /** The entries that are the platform's own. */
  readonly created: readonly Entry[];
  /** Whether this is the first start on it. */
  readonly isNew: boolean;
}

/**
 * Creates the folder if it is missing, with mode 0700, and opens its store. The store is the lock: one process holds it
 * until it ends. Throws `StartError`, also where an entry that the platform would write is not its own.
 */
export function openFolder(dataDir: string): OpenFolder {
  const { folder } = pathsIn(dataDir);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // A folder with other content keeps its mode. What is private in it has a mode of its own.
    if (readdirSync(folder).length === 0) chmodSync(folder, 0o700);
    const claimed = claimEntries(dataDir);
    return { ...claimed, store: openStore(dataDir) };
  } catch (error) {
    throw unusable(error, dataDir);
  }
}

/** Lists the platform's entries in `platform.json` before it creates the first of them. */
function claimEntries(dataDir: string): Pick<OpenFolder, "created" | "isNew"> {
  const { folder, deployments, cache, gitignore, identity } = pathsIn(dataDir);
  // A first start that was killed can leave it empty, with the mode that it creates it with.
  const file = lstatSync(identity, { throwIfNoEntry: false });
  if (file?.isFile() && file.size === 0 && (file.mode & 0o777) === 0o600) rmSync(identity);
  const known = readCreated(dataDir);
  const isKnown = isIn(known ?? []);
  const foreign = entriesIn(folder).filter((entry) => entry !== ".gitignore" && !isKnown(entry));
  if (foreign.length > 0)
    throw new NotOwnError(
      `it has ${foreign.join(", ")}, which no platform.json lists as created by a local platform`,
    );
  // Keeps git from a folder in which nothing but the platform's files is.
  const isIgnored = known ? isKnown(".gitignore") : readdirSync(folder).length === 0;
  const created = ENTRIES.filter((entry) => entry !== ".gitignore" || isIgnored);
  if (!known) writeCreated(dataDir, created);
  // Created at once: until they exist, others could create folders of these names.
  for (const path of [deployments, cache]) if (!isThere(path)) mkdirSync(path, { mode: 0o700 });
  if (isIgnored && !isThere(gitignore))
    writeFileSync(gitignore, "# Keys, databases and checkouts of a local platform.\n*\n");
  return { created, isNew: !known };
}

function openStore(dataDir: string): Store {
  const { database } = pathsIn(dataDir);
  // SQLite gives its -wal the mode of the database.
  if (existsSync(database)) chmodSync(database, 0o600);
  return new Store(database);
}

/** The names of the platform's entries that exist, whoever created them. */
function entriesIn(folder: string): Entry[] {
  return ENTRIES.filter((entry) => isThere(join(folder, entry)));
}

/** Whether there is anything, be it a link to nothing. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function isIn(entries: readonly Entry[]): (name: string) => boolean {
  const names = new Set<string>(entries);
  return (name) => names.has(name);
}

function unusable(error: unknown, dataDir: string): StartError {
  const { folder } = pathsIn(dataDir);
  const reason = reasonOf(error, dataDir);
  return new StartError(`cannot use data folder ${folder}: ${reason}`, { cause: error });
}

function reasonOf(error: unknown, dataDir: string): string {
  const other = "or choose another folder with --data-dir";
  if (isBusy(error)) return `${userOf(dataDir)}, ${other}`;
  if (error instanceof NotOwnError) return `${error.message}: move that away, ${other}`;
  if (!(error instanceof OtherSchemaError)) return messageOf(error);
  const reset = npxCommand("local reset", dataDir);
  return `${error.message}: keep using that release, remove its data with \`${reset}\`, ${other}`;
}

/** The process that holds the folder. Its `platform.json` may be that of an earlier process, while a later one starts. */
function userOf(dataDir: string): string {
  const identity = identityIn(dataDir);
  if (!identity || !isRunning(identity.pid)) return "another process uses it: stop that process";
  return `the local platform at ${identity.url}, process ${identity.pid}, runs on it: use that one, end it with \`${npxCommand("local stop", dataDir)}\``;
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

/** Throws `StartError` unless a platform has run on the folder and has ended. */
export function requireStopped(dataDir: string): void {
  const { folder, database } = pathsIn(dataDir);
  if (!existsSync(database))
    throw new StartError(`no local platform has run on data folder ${folder}`);
  try {
    openStore(dataDir).close();
  } catch (error) {
    // Nothing holds a file whose tables can be read.
    if (!(error instanceof OtherSchemaError)) throw unusable(error, dataDir);
  }
}

/**
 * The entries that a platform has created in its folder. Throws `StartError` while it runs, and where no valid
 * `platform.json` lists them.
 */
export function requireRemovable(dataDir: string): readonly Entry[] {
  const created = requireCreated(dataDir);
  // A first start that was killed may not have created it.
  if (existsSync(pathsIn(dataDir).database)) requireStopped(dataDir);
  return created;
}

function requireCreated(dataDir: string): readonly Entry[] {
  const { folder } = pathsIn(dataDir);
  const there = entriesIn(folder);
  if (there.length === 0)
    throw new StartError(`no local platform has run on data folder ${folder}`);
  const refuse = (reason: string, cause?: unknown) =>
    new StartError(
      `nothing was removed from data folder ${folder}: ${reason}. It has ${there.join(", ")}: ` +
        "remove by hand what is a local platform's",
      { cause },
    );
  let created: readonly Entry[] | undefined;
  try {
    created = readCreated(dataDir);
  } catch (error) {
    throw refuse(messageOf(error), error);
  }
  if (!created)
    throw refuse("platform.json, which lists what a local platform created, is missing");
  return created;
}

/**
 * Removes what a platform has created in its folder, and the folder where nothing else is in it; returns the names of
 * what is left. Throws `StartError` as `requireRemovable` does.
 */
export function removeData(dataDir: string): string[] {
  const { folder } = pathsIn(dataDir);
  removeEntries(dataDir, requireRemovable(dataDir));
  const left = readdirSync(folder);
  if (left.length === 0) removeEmpty(folder);
  return left;
}

/** Removes the entries; a link as a link. Where something else is, it stays as hidden from git as it was. */
export function removeEntries(dataDir: string, created: readonly Entry[]): void {
  const { folder } = pathsIn(dataDir);
  const isOwn = isIn(created);
  const isAlone = readdirSync(folder).every(isOwn);
  for (const entry of ENTRIES.filter(isOwn))
    if (isAlone || entry !== ".gitignore")
      rmSync(join(folder, entry), { recursive: true, force: true, maxRetries: 3 });
}

/** A folder that can't be removed stays, empty: a link to it, or where a disk is mounted. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {}
}

/** Wraps an error of the start with the data folder's path. */
export function toStartError(error: unknown, dataDir: string): StartError {
  if (error instanceof StartError) return error;
  const reason = messageOf(error);
  const { folder } = pathsIn(dataDir);
  return new StartError(`cannot start on data folder ${folder}: ${reason}`, { cause: error });
}
