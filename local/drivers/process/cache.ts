import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readlink, rm, stat, symlink, utimes } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

const KEPT = 5;
/** Longer than any build takes: a folder that has had no name for so long will never get one. */
const UNNAMED_LIMIT_MS = 3 * 3600 * 1000;

/**
 * What installs have made, each under the hash of all that it depends on. An entry is a link to a folder, and the link
 * is made when the folder is complete: a killed build leaves a folder without a name, and no half entry. Folders stay
 * where they were made, since a virtual environment can't be moved.
 */
export class Cache {
  readonly #folder: string;
  readonly #nowMs: () => number;
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(folder: string, nowMs: () => number = Date.now) {
    this.#folder = folder;
    this.#nowMs = nowMs;
  }

  /** Works on an entry while no other build of this platform does: the second of two takes what the first one makes. */
  async alone<Result>(key: string, signal: AbortSignal, work: () => Promise<Result>) {
    for (let turn = this.#turns.get(key); turn; turn = this.#turns.get(key))
      await endOf(turn, signal);
    signal.throwIfAborted();
    const turn = work();
    this.#turns.set(key, turn);
    try {
      return await turn;
    } finally {
      this.#turns.delete(key);
    }
  }

  /** The path of an entry, which counts as the newest from then on; undefined when there is none. */
  async find(key: string): Promise<string | undefined> {
    const entry = join(this.#folder, key);
    const seconds = this.#nowMs() / 1000;
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
    } catch (error) {
      await remove(folder);
      // Another platform that shares the folder was faster.
      if (!(isExisting(error) && (await this.find(key)))) throw error;
    }
    return entry;
  }

  /** Removes all but the five newest entries and those in use, and what killed builds have left. */
  async prune(keysInUse: ReadonlySet<string>): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    const all = await Promise.all(names.map((name) => look(join(this.#folder, name))));
    const entries = all
      .filter(({ target }) => target !== undefined)
      .toSorted((a, b) => b.usedMs - a.usedMs);
    for (const { path, target } of entries.slice(KEPT)) {
      if (target === undefined || keysInUse.has(basename(path))) continue;
      await remove(path);
      await remove(target);
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

/** Resolves at the end of a turn, however it ends; rejects when the signal is aborted before. */
function endOf(turn: Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    turn.then(resolve, resolve);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function isExisting(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}
