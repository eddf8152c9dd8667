import type { LogLine, LogName } from "../store";

/** The size of a line beside the bytes of its message, in memory and in a transaction. */
const LINE_BYTES = 512;
const MAX_BYTES = 8 * 1024 * 1024;
const BATCH_BYTES = 512 * 1024;
/** The size of the statements of one more log in a batch. */
const LOG_BYTES = 8 * 1024;

/** The lines of one log that are not stored yet, 8 MiB at most: beyond that a quarter is dropped, the oldest first. */
export class LogBuffer {
  readonly name: LogName;
  readonly #lines: LogLine[] = [];
  #bytes = 0;
  /** If not 0, the first line says that so many lines are missing before the next. */
  #dropped = 0;

  constructor(name: LogName) {
    this.name = name;
  }

  get size(): number {
    return this.#lines.length;
  }

  add(line: LogLine): void {
    this.#lines.push(line);
    this.#bytes += bytesOf([line]);
    if (this.#bytes > MAX_BYTES) this.#drop();
  }

  /** The oldest lines: one, and as many more as fit. */
  first(maxBytes: number): LogLine[] {
    let bytes = 0;
    const end = this.#lines.findIndex((line) => (bytes += bytesOf([line])) > maxBytes);
    return this.#lines.slice(0, end === -1 ? undefined : Math.max(end, 1));
  }

  /** Removes the oldest lines, which are stored. */
  remove(count: number): void {
    this.#bytes -= bytesOf(this.#lines.splice(0, count));
    if (count > 0) this.#dropped = 0;
  }

  #drop(): void {
    const dropped = this.#lines.splice(0, Math.ceil(this.#lines.length / 4));
    const timestamp = dropped.at(-1)?.timestamp ?? "";
    this.#dropped += dropped.length - (this.#dropped > 0 ? 1 : 0);
    const message = `${this.#dropped} lines dropped: the log could not be stored as fast as it was written`;
    const line = { timestamp, level: "WARNING", message };
    this.#lines.unshift(line);
    this.#bytes += bytesOf([line]) - bytesOf(dropped);
  }
}

/** The lines of one transaction: the oldest of each buffer, as many as fit into 512 KiB. */
export function batchOf(buffers: Iterable<LogBuffer>) {
  const batch: { name: LogName; buffer: LogBuffer; lines: LogLine[] }[] = [];
  let room = BATCH_BYTES;
  for (const buffer of buffers) {
    if (room <= 0) break;
    const lines = buffer.first(room);
    room -= LOG_BYTES + bytesOf(lines);
    batch.push({ name: buffer.name, buffer, lines });
  }
  return batch;
}

/** The size of lines, as it counts against a limit. */
export function bytesOf(lines: readonly LogLine[]): number {
  return lines.reduce((sum, { message }) => sum + Buffer.byteLength(message) + LINE_BYTES, 0);
}
