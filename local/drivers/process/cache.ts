import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readlink, rm, stat, symlink, utimes } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Revision, Work } from "../driver";
import { removeFolder } from "./folders";
import { codeOf } from "../../../shared/errors";

const KEPT_ENTRIES = 5;
/** The name of an entry's folder: its key, and what `mkdtemp` adds. A shared folder has others' too. */
const FOLDER = /^(.+)-\w{6}$/;
const KEY = /^[0-9a-f]{32}$/;
/** Longer than any build: a folder that no link points to after this time is left over from a killed build. */
const ORPHAN_AGE_MS = 3 * 3600 * 1000;
/** Entries are kept for so long after their last use: what is used during a prune, and what other platforms may use. */
const MIN_AGE_MS = 1000;
const SHARED_MIN_AGE_MS = 7 * 24 * 3600 * 1000;
const NEVER = new AbortController().signal;

/**
 * Installed packages, by the hash of everything that they depend on. An entry is a symbolic link to a folder, created
 * when the folder is complete: a killed build leaves a folder without a link, never half an entry. A folder stays
 * where it was filled, since a virtual environment can't be moved.
 */
export class Cache {
  readonly #folder: string;
  readonly #nowMs: () => number;
  /** The work on each key. */
  readonly #running = new Map<string, Promise<unknown>>();
  /** The keys that builds in progress use. */
  readonly #inUse = new Map<Revision, Set<string>>();

  constructor(folder: string, nowMs: () => number = Date.now) {
    this.#folder = folder;
    this.#nowMs = nowMs;
  }

  /**
   * Runs `work` while no other build of this platform works on the entry: the second of two uses what the first one
   * adds. The entry is not removed until the build releases it.
   */
  async withLock<Result>(
    key: string,
    build: Pick<Work, "revision" | "signal">,
    work: () => Promise<Result>,
  ) {
    this.#inUse.set(build.revision, (this.#inUse.get(build.revision) ?? new Set()).add(key));
    return this.#runExclusive(key, build.signal, work);
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
      await removeFolder(folder);
      // Another platform that shares the folder was faster.
      if (!(codeOf(error) === "EEXIST" && (await this.find(key)))) throw error;
    }
    return entry;
  }

  /**
   * Removes entries except the five most recently used and those in use, and what killed builds left. In a folder
   * that is a link, which other platforms may share, entries used within a week are kept too, and whatever has another name.
   */
  async prune(readKeysInUse: () => Promise<readonly string[]>): Promise<void> {
    const minAgeMs = (await isLink(this.#folder)) ? SHARED_MIN_AGE_MS : MIN_AGE_MS;
    const newestMs = this.#nowMs() - minAgeMs;
    const inBuilds = [...this.#inUse.values()].flatMap((keys) => [...keys]);
    const kept = new Set([...inBuilds, ...(await readKeysInUse())]);
    const names = await readdir(this.#folder).catch(() => []);
    const all = await Promise.all(names.map((name) => this.#inspect(name)));
    const entries = all
      .filter(({ name, target }) => target !== undefined && keyIn(target) === name)
      .toSorted((a, b) => b.usedMs - a.usedMs);
    for (const { name } of entries.slice(KEPT_ENTRIES).filter((entry) => !kept.has(entry.name)))
      await this.#runExclusive(name, NEVER, async () => {
        const { target, usedMs } = await this.#inspect(name);
        if (target === undefined || usedMs > newestMs) return;
        for (const old of [name, target]) await removeFolder(join(this.#folder, old));
      });
    const targets = new Set(entries.map(({ target }) => target));
    const oldestMs = this.#nowMs() - ORPHAN_AGE_MS;
    for (const { name, target, usedMs } of all)
      if (target === undefined && KEY.test(keyIn(name)) && !targets.has(name) && usedMs < oldestMs)
        await removeFolder(join(this.#folder, name));
  }

  /** `target` is undefined for what is not a link. */
  async #inspect(name: string) {
    const path = join(this.#folder, name);
    const target = await readlink(path).catch(() => undefined);
    const { mtimeMs: usedMs } = await stat(path).catch(() => ({ mtimeMs: 0 }));
    return { name, target, usedMs };
  }

  /** Runs `work` when all earlier work on this key has ended. Throws the signal's reason if it is aborted before. */
  async #runExclusive<Result>(key: string, signal: AbortSignal, work: () => Promise<Result>) {
    for (;;) {
      signal.throwIfAborted();
      const other = this.#running.get(key);
      if (!other) break;
      await Promise.race([other.catch(() => {}), once(signal, "abort")]);
    }
    const running = work();
    this.#running.set(key, running);
    try {
      return await running;
    } finally {
      this.#running.delete(key);
    }
  }
}

/** The key of an entry, from everything that it depends on. */
export function cacheKey(parts: unknown): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}

/** The key in the name of a folder; empty where it is no entry's. */
function keyIn(folder: string): string {
  return FOLDER.exec(folder)?.[1] ?? "";
}

function isLink(path: string): Promise<boolean> {
  return readlink(path).then(
    () => true,
    () => false,
  );
}
