import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readlink, rm, stat, symlink, utimes } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Revision, Work } from "../driver";
import { KeyedMutex } from "./keyed-mutex";
import { codeOf } from "../../../shared/errors";

const KEPT_ENTRIES = 5;
/** Longer than any build: a folder that no link points to after this time is left over from a killed build. */
const ORPHAN_AGE_MS = 3 * 3600 * 1000;
const SHARED_MAX_AGE_MS = 7 * 24 * 3600 * 1000;
const NEVER = new AbortController().signal;

/** A build that uses entries. */
type CacheUser = Pick<Work, "revision" | "signal">;

/**
 * Installed packages, by the hash of everything that they depend on. An entry is a symbolic link to a folder, created
 * when the folder is complete: a killed build leaves a folder without a link, never half an entry. A folder stays
 * where it was filled, since a virtual environment can't be moved.
 */
export class Cache {
  readonly #folder: string;
  readonly #nowMs: () => number;
  readonly #mutex = new KeyedMutex();
  /** The keys that builds in progress use. */
  readonly #inUse = new Map<Revision, Set<string>>();
  /** The keys that each prune in progress keeps. */
  readonly #prunes = new Set<Set<string>>();

  constructor(folder: string, nowMs: () => number = Date.now) {
    this.#folder = folder;
    this.#nowMs = nowMs;
  }

  /**
   * Runs `work` while no other build of this platform works on the entry: the second of two uses what the first one
   * adds. The entry is not removed until the build releases it.
   */
  async withLock<Result>(key: string, build: CacheUser, work: () => Promise<Result>) {
    this.#inUse.set(build.revision, (this.#inUse.get(build.revision) ?? new Set()).add(key));
    for (const kept of this.#prunes) kept.add(key);
    return this.#mutex.runExclusive(key, build.signal, work);
  }

  /** Releases the entries that the build of a revision used: its record names them, or it has failed. */
  release(revision: Revision): void {
    this.#inUse.delete(revision);
  }

  /** The path of an entry, which becomes the most recently used; undefined when there is none. */
  async find(key: string): Promise<string | undefined> {
    const entry = join(this.#folder, key);
    const seconds = this.#nowMs() / 1000;
    // Without a link nothing is removed: another platform may be about to create one.
    if (!(await isLink(entry))) return undefined;
    try {
      await utimes(entry, seconds, seconds);
      return entry;
    } catch {
      await rm(entry, { force: true }); // a dangling link
      return undefined;
    }
  }

  /** Adds an entry with what `fill` writes into a new folder. Returns the path of the entry. */
  async add(key: string, fill: (folder: string) => Promise<void>): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const entry = join(this.#folder, key);
    const folder = await mkdtemp(`${entry}-`);
    try {
      await fill(folder);
      await symlink(basename(folder), entry);
      await this.find(key);
    } catch (error) {
      await remove(folder);
      // Another platform that shares the folder was faster.
      if (!(isExisting(error) && (await this.find(key)))) throw error;
    }
    return entry;
  }

  /**
   * Removes entries except the five most recently used and those in use, and what killed builds left. In a folder
   * that is a link, which other platforms may share, entries used within a week are kept too.
   */
  async prune(readKeysInUse: () => Promise<readonly string[]>): Promise<void> {
    const kept = new Set([...this.#inUse.values()].flatMap((keys) => [...keys]));
    this.#prunes.add(kept);
    try {
      for (const key of await readKeysInUse()) kept.add(key);
      await this.#prune(kept);
    } finally {
      this.#prunes.delete(kept);
    }
  }

  /** Builds that start meanwhile add the keys that they use to `kept`. */
  async #prune(kept: ReadonlySet<string>): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    const all = await Promise.all(names.map((name) => inspectEntry(join(this.#folder, name))));
    const entries = all
      .filter(({ target }) => target !== undefined)
      .toSorted((a, b) => b.usedMs - a.usedMs);
    const isShared = await isLink(this.#folder);
    const newestMs = isShared ? this.#nowMs() - SHARED_MAX_AGE_MS : Infinity;
    for (const { path, target, usedMs } of entries.slice(KEPT_ENTRIES)) {
      const key = basename(path);
      if (target === undefined || kept.has(key) || usedMs > newestMs) continue;
      await this.#mutex.runExclusive(key, NEVER, async () => {
        await remove(path);
        await remove(target);
      });
    }
    const targets = new Set(entries.map(({ target }) => target));
    const oldestMs = this.#nowMs() - ORPHAN_AGE_MS;
    for (const { path, target, usedMs } of all)
      if (target === undefined && !targets.has(path) && usedMs < oldestMs) await remove(path);
  }
}

/** `target` is undefined for what is not a link. */
async function inspectEntry(path: string) {
  const name = await readlink(path).catch(() => undefined);
  const usedMs = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  return { path, target: name === undefined ? undefined : join(dirname(path), name), usedMs };
}

/** The key of an entry, from everything that it depends on. */
export function cacheKey(parts: unknown): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}

function isLink(path: string): Promise<boolean> {
  return readlink(path).then(
    () => true,
    () => false,
  );
}

function isExisting(error: unknown): boolean {
  return codeOf(error) === "EEXIST";
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}
