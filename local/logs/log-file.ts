import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/** A log is two files at most: a full one gives way to an empty one and takes the place of the one before. */
const MAX_FILE_BYTES = 5 * 1024 * 1024;
const WINDOW_BYTES = 256 * 1024;
const LINE_BREAK = 10;

/** A line of the file; `start` and `end` are counted in bytes since the log's beginning, also when that is gone. */
interface RawLine {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A file of which the newest 10 MB are kept. */
export class LogFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Adds lines, each with its line break; `opening` is the first line of what takes the place of a full file. */
  append(lines: string, opening: () => string): void {
    const size = statSync(this.#path, { throwIfNoEntry: false })?.size;
    if (size === undefined) mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const isFull = size !== undefined && size + Buffer.byteLength(lines) > MAX_FILE_BYTES;
    if (isFull) this.#turn();
    const bytes = Buffer.from(isFull ? opening() + lines : lines);
    appendFileSync(this.#path, bytes.subarray(-MAX_FILE_BYTES), { mode: 0o600 });
  }

  /** The lines that are kept, from a place on; from the oldest one where the place is gone. */
  *forward(from = 0): Generator<RawLine, void, undefined> {
    const { start, end } = this.#bounds();
    let [at, size] = [Math.max(from, start), WINDOW_BYTES];
    while (at < end) {
      const window = this.#read(at, Math.min(at + size, end));
      let begin = 0;
      for (let stop; (stop = window.indexOf(LINE_BREAK, begin) + 1) > 0; begin = stop)
        yield lineOf(window, begin, stop, at);
      if (begin === 0 && at + size >= end) return; // it is being written
      if (begin === 0) size *= 2;
      at += begin;
    }
  }

  /** The lines that are kept, backwards, from a place at which one ends. */
  *backward(to = Infinity): Generator<RawLine, void, undefined> {
    const { start, end } = this.#bounds();
    let [at, size] = [Math.min(to, end), WINDOW_BYTES];
    while (at > start) {
      const from = Math.max(at - size, start);
      const window = this.#read(from, at);
      let stop = window.length;
      for (let begin; stop > 0; stop = begin) {
        begin = stop < 2 ? 0 : window.lastIndexOf(LINE_BREAK, stop - 2) + 1;
        if (begin === 0 && from > start) break; // it begins before
        yield lineOf(window, begin, stop, from);
      }
      if (stop === window.length) size *= 2;
      at = from + stop;
    }
  }

  /** The full file's name ends with the place in the log at which it begins. */
  #turn(): void {
    const before = this.#full();
    renameSync(this.#path, `${this.#path}.${before.at(-1)?.end ?? 0}`);
    for (const { path } of before) rmSync(path);
  }

  #full() {
    const [folder, prefix] = [dirname(this.#path), `${basename(this.#path)}.`];
    return readdirSync(folder)
      .filter((name) => name.startsWith(prefix))
      .map((name) => {
        const [path, start] = [join(folder, name), Number(name.slice(prefix.length))];
        return { path, start, end: start + statSync(path).size };
      })
      .toSorted((a, b) => a.start - b.start);
  }

  #files() {
    const newest = statSync(this.#path, { throwIfNoEntry: false });
    if (!newest) return [];
    const full = this.#full().slice(-1);
    const start = full[0]?.end ?? 0;
    return [...full, { path: this.#path, start, end: start + newest.size }];
  }

  #bounds() {
    const files = this.#files();
    return { start: files[0]?.start ?? 0, end: files.at(-1)?.end ?? 0 };
  }

  #read(from: number, to: number): Buffer {
    const parts = this.#files()
      .filter(({ start, end }) => start < to && end > from)
      .map(({ path, start, end }) =>
        readPart(path, Math.max(from - start, 0), Math.min(to, end) - start),
      );
    return Buffer.concat(parts);
  }
}

function lineOf(window: Buffer, begin: number, stop: number, at: number): RawLine {
  const text = window.toString("utf8", begin, stop).replace(/\n$/, "");
  return { text, start: at + begin, end: at + stop };
}

function readPart(path: string, from: number, to: number): Buffer {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(to - from);
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from));
  } finally {
    closeSync(file);
  }
}
