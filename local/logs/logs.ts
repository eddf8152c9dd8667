import { setImmediate as nextTurn } from "node:timers/promises";
import type { Time } from "../../shared/clock";
import { messageOf } from "../../shared/errors";
import { reportFailure } from "../platform/stderr";
import type { LogType } from "../../sdk/schema";
import type {
  LinePlace,
  LogFilter,
  LogLine,
  LogLines,
  LogName,
  PlacedLine,
  StoredLine,
} from "../store";
import { linesOf } from "./lines";
import { batchOf, LogBuffer } from "./log-buffer";
import { mask } from "./masking";

/** The levels that the platform writes. */
export type LogLevel = "INFO" | "WARNING" | "ERROR";

/** The lines of a log to read. */
export interface LogQuery extends LogFilter {
  readonly limit: number;
  /** `desc`: newest first. */
  readonly order: "asc" | "desc";
  /** The `next_offset` of the page before. @default the oldest line, or the newest */
  readonly offset?: number | undefined;
}

/** The lines of the logs of all revisions to read; `offset` is the `next_offset` of the page before. */
export type DeploymentLogQuery = Omit<LogQuery, "offset"> & {
  readonly offset?: string | undefined;
};

/** Lines, and where the next page begins, if there is one. */
export interface LogPage<Line extends LogLine = LogLine> {
  readonly logs: Line[];
  readonly next_offset: string | null;
}

const BATCH_INTERVAL_MS = 25;
const RETRY_INTERVAL_MS = 1000;

/**
 * The logs of all revisions. Lines are buffered and stored in batches, one each 25 ms, so that no amount of output blocks
 * the event loop. A batch that fails is retried and reported once on standard error; it fails nothing else.
 */
export class Logs {
  readonly #lines: LogLines;
  readonly #clock: Time;
  readonly #buffers = new Map<string, LogBuffer>();
  #timer: NodeJS.Timeout | undefined;
  /** Why the last batch could not be stored. */
  #failure: string | undefined;

  constructor(lines: LogLines, clock: Time) {
    this.#lines = lines;
    this.#clock = clock;
  }

  /** Adds a line, or several if the text holds line breaks; secret values are masked, an overlong line is cut. */
  write(name: LogName, level: LogLevel, text: string, secrets: readonly { value: string }[]): void {
    const key = keyOf(name);
    const buffer = this.#buffers.get(key) ?? new LogBuffer(name);
    this.#buffers.set(key, buffer);
    const timestamp = new Date(this.#clock.now()).toISOString();
    for (const message of linesOf(mask(text, secrets))) buffer.add({ timestamp, level, message });
    this.#schedule(BATCH_INTERVAL_MS);
  }

  /** Stores what has been written to a log; false if that failed. */
  async flush(name: LogName): Promise<boolean> {
    const buffer = this.#buffers.get(keyOf(name));
    if (!buffer) return true;
    for (let left = buffer.size; left > 0 && buffer.size > 0;) {
      const stored = this.#store([buffer]);
      if (stored === 0) return false;
      left -= stored;
      if (left > 0) await nextTurn();
    }
    return true;
  }

  /**
   * A page of a log with everything that has been written to it. Offsets stay valid while lines are added or removed.
   * Throws if no line of it could be stored.
   */
  async page(name: LogName, query: LogQuery): Promise<LogPage<LogLine & { number: number }>> {
    const { limit, order, offset } = query;
    const isComplete = await this.flush(name);
    const lines = this.#lines.list(name, order, limit + 1, offset, query);
    if (lines.length === 0 && !isComplete)
      throw new Error(`store log of revision ${name.revisionId}: ${this.#failure}`);
    const next = lines[limit]?.number;
    return { logs: lines.slice(0, limit), next_offset: next === undefined ? null : String(next) };
  }

  /** As `page`, for the logs of all revisions of a deployment, by the time of their lines. */
  async pageOfDeployment(
    deploymentId: string,
    type: LogType,
    { limit, order, offset, ...filter }: DeploymentLogQuery,
  ): Promise<LogPage<PlacedLine>> {
    for (const { name } of this.#buffers.values()) if (name.type === type) await this.flush(name);
    const from = offset === undefined ? undefined : placeOf(offset);
    const lines = this.#lines.listOfDeployment(deploymentId, type, order, limit + 1, from, filter);
    const next = lines[limit];
    return {
      logs: lines.slice(0, limit),
      next_offset: next ? [next.timestamp, next.revision_id, next.number].join("_") : null,
    };
  }

  /** Up to `limit` lines after a line number, oldest first, with everything that has been written. */
  async after(name: LogName, number: number, limit: number): Promise<StoredLine[]> {
    await this.flush(name);
    return this.#lines.list(name, "asc", limit, number + 1);
  }

  /** The newest `limit` lines before a line number that contain a text, oldest first. @default the newest of all lines */
  async tail(
    name: LogName,
    limit: number,
    { text = "", before = Number.MAX_SAFE_INTEGER }: { text?: string; before?: number },
  ): Promise<StoredLine[]> {
    await this.flush(name);
    const found = text
      ? this.#lines.search(name, text, limit, before)
      : this.#lines.list(name, "desc", limit, before - 1);
    return found.toReversed();
  }

  /** Removes all logs of a deployment. */
  async remove(deploymentId: string): Promise<void> {
    while (this.#lines.removeSome(deploymentId)) await nextTurn();
  }

  /** Stores what has been written. */
  async close(): Promise<void> {
    for (const { name } of this.#buffers.values()) await this.flush(name);
    clearTimeout(this.#timer);
    const lost = [...this.#buffers.values()].reduce((sum, { size }) => sum + size, 0);
    if (lost > 0) reportFailure(`store logs (${lost} lines lost)`, this.#failure);
  }

  #schedule(milliseconds: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#store(this.#buffers.values());
      if (this.#buffers.size > 0)
        this.#schedule(this.#failure ? RETRY_INTERVAL_MS : BATCH_INTERVAL_MS);
    }, milliseconds).unref();
  }

  /** Stores one batch in one transaction; returns how many lines it had, 0 if that failed. */
  #store(buffers: Iterable<LogBuffer>): number {
    const batch = batchOf(buffers);
    try {
      this.#lines.append(batch);
      this.#failure = undefined;
    } catch (error) {
      if (this.#failure === undefined) reportFailure("store logs (retrying)", error);
      this.#failure = messageOf(error);
      return 0;
    }
    for (const { name, buffer, lines } of batch) {
      buffer.remove(lines.length);
      // Logs with more lines queue up behind the others.
      this.#buffers.delete(keyOf(name));
      if (buffer.size > 0) this.#buffers.set(keyOf(name), buffer);
    }
    return batch.reduce((sum, { lines }) => sum + lines.length, 0);
  }
}

function keyOf({ revisionId, type }: LogName): string {
  return `${type} ${revisionId}`;
}

/** The offset of a page over all revisions. */
export const DEPLOYMENT_OFFSET = /^[\d:.TZ-]{1,30}_[\da-f-]{36}_\d{1,12}$/;

function placeOf(offset: string): LinePlace {
  const [timestamp = "", revision_id = "", number = ""] = offset.split("_");
  return { timestamp, revision_id, number: Number(number) };
}
