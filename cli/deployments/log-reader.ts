import { isDeepStrictEqual } from "node:util";
import type { ControlPlane, LogLine, LogPage, LogQuery } from "../../sdk";
import { MOST_PAGES, TOO_MANY_PAGES } from "../../sdk/pages";
import type { LogType } from "../../sdk/schema";
import { momentIn } from "../../shared/moment";
import { CommandFailure } from "../failure";

/** Lines (public service). */
const LARGEST_PAGE = 1000;

/** Names one log. */
export interface LogName {
  readonly deploymentId: string;
  readonly revisionId: string;
  readonly type: LogType;
}

/** A line of a log, in the output of `--json`. */
export interface LineShape {
  readonly type: LogType;
  readonly revisionId: string;
  readonly timestamp: string | null;
  readonly level: string | null;
  readonly message: string;
}

/** The position where a reading begins. */
export interface Beginning {
  readonly since?: Date | undefined;
  /** At most so many lines, the newest. */
  readonly tail?: number | undefined;
}

/** Reads one log, oldest line first, and on from where the last reading ended. */
export class LogReader {
  readonly #client: ControlPlane;
  readonly #name: LogName;
  #tail: number | undefined;
  /** In milliseconds since 1970. */
  #sinceMs: number;
  #offset: string | undefined;
  /** Number of lines of the page at the offset that have been read. */
  #read = 0;
  /** The newest of them. */
  #newest: LogLine | undefined;

  constructor(client: ControlPlane, name: LogName, { since, tail }: Beginning) {
    this.#client = client;
    this.#name = name;
    this.#tail = tail;
    this.#sinceMs = since?.getTime() ?? -Infinity;
  }

  /** The lines that have not been read yet. */
  async *lines(): AsyncGenerator<LineShape, void, undefined> {
    if (this.#tail === undefined) return yield* this.#rest();
    const tail = this.#tail;
    const oldest = await this.#oldestOf(tail);
    this.#sinceMs = Math.max(this.#sinceMs, oldest);
    // An earlier reading may have failed halfway.
    this.#offset = undefined;
    this.#read = 0;
    const lines: LineShape[] = [];
    for await (const line of this.#rest()) lines.push(line);
    this.#tail = undefined;
    // Others may have the time of the oldest.
    yield* lines.slice(Math.max(lines.length - tail, 0));
  }

  async *#rest(): AsyncGenerator<LineShape, void, undefined> {
    const start_time = Number.isFinite(this.#sinceMs)
      ? new Date(this.#sinceMs).toISOString()
      : undefined;
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const query = {
        order: "asc",
        limit: LARGEST_PAGE,
        offset: this.#offset,
        start_time,
      } as const;
      const page = await this.#page(query);
      const fresh = page.logs.slice(this.#knownOf(page.logs));
      this.#newest = fresh.at(-1) ?? this.#newest;
      const next = page.next_offset || undefined;
      const isLast = next === undefined || next === this.#offset;
      this.#read = isLast ? page.logs.length : 0;
      if (!isLast) this.#offset = next;
      yield* this.#shapesOf(fresh);
      if (isLast) return;
    }
    throw this.#endless();
  }

  /** How many lines of a page have been read: fewer than before where the server has removed the oldest meanwhile. */
  #knownOf(lines: readonly LogLine[]): number {
    const before = lines.slice(0, this.#read);
    return before.findLastIndex((line) => isDeepStrictEqual(line, this.#newest)) + 1;
  }

  /** The time of the oldest of the newest lines, in milliseconds since 1970. */
  async #oldestOf(count: number): Promise<number> {
    let timeMs = -Infinity;
    let left = count;
    let pages = 0;
    for (let offset: string | undefined; left > 0; pages += 1) {
      if (pages === MOST_PAGES) throw this.#endless();
      const page = await this.#page({ order: "desc", limit: Math.min(left, LARGEST_PAGE), offset });
      timeMs = momentIn(textOf(page.logs.at(-1)?.timestamp) ?? "") || timeMs;
      left -= page.logs.length;
      const next = page.next_offset || undefined;
      if (next === undefined || next === offset) break;
      offset = next;
    }
    return timeMs;
  }

  #endless(): CommandFailure {
    const { type, revisionId } = this.#name;
    return new CommandFailure(
      `get ${type} log of revision ${revisionId}: ${TOO_MANY_PAGES}; this is an error of the server, ask its operator`,
    );
  }

  #page(query: Omit<LogQuery, "type">): Promise<LogPage> {
    const { deploymentId, revisionId, type } = this.#name;
    return this.#client.revisions.logs(deploymentId, revisionId, { ...query, type });
  }

  /** Leaves out what is too old: a control plane may ignore the time that is asked for. */
  #shapesOf(lines: readonly LogLine[]): LineShape[] {
    const { revisionId, type } = this.#name;
    return lines
      .map(({ timestamp, level, message }) => ({
        type,
        revisionId,
        timestamp: textOf(timestamp),
        level: level ?? null,
        message,
      }))
      .filter(({ timestamp }) => !(momentIn(timestamp ?? "") < this.#sinceMs));
  }
}

/** As ISO 8601, where it is a number of milliseconds since 1970 that a date can have. */
function textOf(timestamp: string | number | null | undefined): string | null {
  if (typeof timestamp !== "number") return timestamp ?? null;
  const date = new Date(timestamp);
  return Number.isNaN(date.getTime()) ? String(timestamp) : date.toISOString();
}
