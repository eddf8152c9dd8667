import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readlink, rm, stat, symlink, utimes } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Revision, Work } from "../driver";
import { KeyedMutex } from "./keyed-mutex";
import { codeOf } from "../../../shared/errors";

const KEPT = 5;
/** Longer than any build takes: a folder that has had no name for so long will never get one. */
const UNNAMED_LIMIT_MS = 3 * 3600 * 1000;
const SHARED_LIMIT_MS = 7 * 24 * 3600 * 1000;
const NEVER = new AbortController().signal;

/** A build that uses entries. */
type CacheUser = Pick<Work, "revision" | "signal">;

/**
 * What installs have made, each under the hash of all that it depends on. An entry is a link to a folder, and the link
 * is made when the folder is complete: a killed build leaves a folder without a name, and no half entry. Folders stay
 * where they were made, since a virtual environment can't be moved.
 */
export class Cache {
  readonly #folder: string;
  readonly #nowMs: () => number;
  readonly #turns = new KeyedMutex();
  /** What builds under way use. */
  readonly #held = new Map<Revision, Set<string>>();
  /** What each removal under way spares. */
  readonly #prunings = new Set<Set<string>>();

  constructor(folder: string, nowMs: () => number = Date.now) {
    this.#folder = folder;
    this.#nowMs = nowMs;
  }

  /**
   * Works on an entry while no other build of this platform does: the second of two takes what the first one makes. The
   * entry is not removed until the build lets go of it.
   */
  async alone<Result>(key: string, build: CacheUser, work: () => Promise<Result>) {
    this.#held.set(build.revision, (this.#held.get(build.revision) ?? new Set()).add(key));
    for (const spared of this.#prunings) spared.add(key);
    return this.#turns.take(key, build.signal, work);
  }

  /** Lets go of what the build of a revision has used: its record names that now, or it has failed. */
  letGo(revision: Revision): void {
    this.#held.delete(revision);
  }

  /** The path of an entry, which counts as the newest from then on; undefined when there is none. */
  async find(key: string): Promise<string | undefined> {
    const entry = join(this.#folder, key);
    const seconds = this.#nowMs() / 1000;
    // Without a link nothing is removed: another platform may be about to make one.
    if (!(await isLink(entry))) return undefined;
    try {
      await utimes(entry, seconds, seconds);
      return entry;
    } catch {
      await rm(entry, { force: true }); // a link into nothing
      return undefined;
    }
  }

  /** Makes an entry of what `fill` puts into a new folder; the path of the entry. */
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
   * Removes all but the five newest entries and those in use, and what killed builds have left. Of a folder that is a
   * link, which other platforms may share, only what nobody has used for a week is removed.
   */
  async prune(readKeysInUse: () => Promise<readonly string[]>): Promise<void> {
    const spared = new Set([...this.#held.values()].flatMap((keys) => [...keys]));
    this.#prunings.add(spared);
    try {
      for (const key of await readKeysInUse()) spared.add(key);
      await this.#prune(spared);
    } finally {
      this.#prunings.delete(spared);
    }
  }

  /** While it goes on, builds add what they use to those that are spared. */
  async #prune(spared: ReadonlySet<string>): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    const all = await Promise.all(names.map((name) => look(join(this.#folder, name))));
    const entries = all
      .filter(({ target }) => target !== undefined)
      .toSorted((a, b) => b.usedMs - a.usedMs);
    const isShared = await isLink(this.#folder);
    const newestMs = isShared ? this.#nowMs() - SHARED_LIMIT_MS : Infinity;
    for (const { path, target, usedMs } of entries.slice(KEPT)) {
      const key = basename(path);
      if (target === undefined || spared.has(key) || usedMs > newestMs) continue;
      await this.#turns.take(key, NEVER, async () => {
        await remove(path);
        await remove(target);
      });
    }
    const named = new Set(entries.map(({ target }) => target));
    const oldestMs = this.#nowMs() - UNNAMED_LIMIT_MS;
    for (const { path, target, usedMs } of all)
      if (target === undefined && !named.has(path) && usedMs < oldestMs) await remove(path);
  }
}

/** `target` is what a link leads to. */
async function look(path: string) {
  const name = await readlink(path).catch(() => undefined);
  const usedMs = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  return { path, target: name === undefined ? undefined : join(dirname(path), name), usedMs };
}

/** A key from all that an entry depends on. */
export function keyOf(parts: unknown): string {
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
