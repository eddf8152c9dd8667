import { z } from "zod";
import type { LogType } from "../../sdk/schema";
import type { Database } from "../sqlite/database";

/** Names one log of one revision. */
export interface LogName {
  readonly revisionId: string;
  readonly type: LogType;
}

/** A line of a log; `timestamp` is ISO 8601. */
export interface LogLine {
  readonly timestamp: string;
  readonly level: string;
  readonly message: string;
}

/** Filters of the lines of a log; without a member, any. */
export interface LogFilter {
  /** The first and the last time, in ISO 8601 as in the lines. */
  readonly startTime?: string | undefined;
  readonly endTime?: string | undefined;
  readonly level?: string | undefined;
  /** A part of the message; the case of ASCII letters does not matter. */
  readonly query?: string | undefined;
}

/** Names a line of all logs of a deployment, in the order of their times. */
export interface LinePlace {
  readonly timestamp: string;
  readonly revision_id: string;
  readonly number: number;
}

/** A stored line; `number` counts the lines of its log from 1 and stays when older ones are removed. */
const StoredLine = z.object({
  number: z.int(),
  timestamp: z.string(),
  level: z.string(),
  message: z.string(),
});
export type StoredLine = z.infer<typeof StoredLine>;

/** A stored line with the revision to which its log belongs. */
const PlacedLine = StoredLine.extend({ revision_id: z.string() });
export type PlacedLine = z.infer<typeof PlacedLine>;

/** A log keeps its newest lines, up to both limits. */
const MAX_LINES = 100_000;
const MAX_BYTES = 10 * 1024 * 1024;

/** Rows that one statement deletes: this many take some milliseconds, those of a large log a third of a second. */
const DELETED_AT_ONCE = 2000;

const LOG = "revision_id = ? AND type = ?";
const FILTER = `timestamp >= ? AND timestamp <= ? AND (? IS NULL OR level = ?)
  AND (? IS NULL OR instr(lower(message), lower(?)) > 0)`;
/** No time is before, and none after these. */
const [NO_TIME, ANY_TIME] = ["", "~"];
const FIRST_PLACE: LinePlace = { timestamp: NO_TIME, revision_id: "", number: 0 };
const LAST_PLACE: LinePlace = { timestamp: ANY_TIME, revision_id: "", number: 0 };
const Last = z.object({ number: z.int(), end_byte: z.int() });
const Removed = z.object({ number: z.int() });

/** The lines of all logs. */
export class LogLines {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Adds lines to the end of logs, all of them or none, and removes a log's oldest lines beyond its limits. Lines of a
   * revision that does not exist are left out.
   */
  append(logs: readonly { readonly name: LogName; readonly lines: readonly LogLine[] }[]): void {
    this.#database.transaction(() => {
      for (const { name, lines } of logs) this.#append(name, lines);
    });
  }

  /** Up to `limit` lines from a line number on, upwards (`asc`) or downwards (`desc`). @default the oldest, the newest */
  list(
    { revisionId, type }: LogName,
    order: "asc" | "desc",
    limit: number,
    from = order === "asc" ? 0 : Number.MAX_SAFE_INTEGER,
    filter: LogFilter = {},
  ): StoredLine[] {
    const sql = `SELECT number, timestamp, level, message FROM log_lines
      WHERE ${LOG} AND number ${order === "asc" ? ">=" : "<="} ? AND ${FILTER} ORDER BY number ${order} LIMIT ?`;
    const values = [revisionId, type, from, ...valuesOf(filter), limit];
    return this.#database.all(StoredLine, sql, ...values);
  }

  /** As `list`, for the logs of all revisions of a deployment, by the time of their lines. */
  listOfDeployment(
    deploymentId: string,
    type: LogType,
    order: "asc" | "desc",
    limit: number,
    from: LinePlace = order === "asc" ? FIRST_PLACE : LAST_PLACE,
    filter: LogFilter = {},
  ): PlacedLine[] {
    const sql = `SELECT revision_id, number, timestamp, level, message FROM log_lines
      WHERE revision_id IN (SELECT id FROM revisions WHERE deployment_id = ?) AND type = ?
        AND (timestamp, revision_id, number) ${order === "asc" ? ">=" : "<="} (?, ?, ?) AND ${FILTER}
      ORDER BY timestamp ${order}, revision_id ${order}, number ${order} LIMIT ?`;
    const place = [from.timestamp, from.revision_id, from.number];
    const values = [deploymentId, type, ...place, ...valuesOf(filter), limit];
    return this.#database.all(PlacedLine, sql, ...values);
  }

  /** Up to `limit` lines whose message contains a text, as `LogFilter.query`; the newest of those before a line number. */
  search({ revisionId, type }: LogName, text: string, limit: number, before: number): StoredLine[] {
    const sql = `SELECT number, timestamp, level, message FROM log_lines
      WHERE ${LOG} AND number < ? AND instr(lower(message), lower(?)) > 0 ORDER BY number DESC LIMIT ?`;
    const values = [revisionId, type, before, text, limit];
    return this.#database.all(StoredLine, sql, ...values);
  }

  /** Removes some lines of a deployment's logs; false when there was none left. */
  removeSome(deploymentId: string): boolean {
    const sql = `DELETE FROM log_lines WHERE (revision_id, type, number) IN (
      SELECT revision_id, type, number FROM log_lines
      WHERE revision_id IN (SELECT id FROM revisions WHERE deployment_id = ?) LIMIT ?)`;
    return this.#database.run(sql, deploymentId, DELETED_AT_ONCE) > 0;
  }

  #append({ revisionId, type }: LogName, lines: readonly LogLine[]): void {
    const newest = `SELECT number, end_byte FROM log_lines WHERE ${LOG} ORDER BY number DESC LIMIT 1`;
    const last = this.#database.get(Last, newest, revisionId, type);
    let [number, end] = [last?.number ?? 0, last?.end_byte ?? 0];
    const rows = lines.map(({ timestamp, level, message }) => {
      number += 1;
      end += Buffer.byteLength(message);
      return [number, end, timestamp, level, message];
    });
    this.#database.run(
      `INSERT INTO log_lines
        SELECT r.id, ?, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4
        FROM revisions r, json_each(?) WHERE r.id = ?`,
      type,
      JSON.stringify(rows),
      revisionId,
    );
    if (number > MAX_LINES || end > MAX_BYTES)
      this.#trim({ revisionId, type }, number - MAX_LINES, end - MAX_BYTES);
  }

  /** Removes the lines up to a number and up to a byte; the last of them becomes the line that says so. */
  #trim({ revisionId, type }: LogName, toNumber: number, toByte: number): void {
    const reached = `SELECT number FROM log_lines WHERE ${LOG} AND number >= ? AND end_byte >= ?
      ORDER BY number LIMIT 1`;
    const removed = this.#database.get(Removed, reached, revisionId, type, toNumber, toByte);
    if (!removed) return;
    const { number } = removed;
    const older = `DELETE FROM log_lines WHERE ${LOG} AND number < ?`;
    this.#database.run(older, revisionId, type, number);
    const message = `${number} older lines removed: a log keeps its newest ${MAX_LINES} lines and ${MAX_BYTES / 1024 ** 2} MiB`;
    const last = `UPDATE log_lines SET level = 'WARNING', message = ? WHERE ${LOG} AND number = ?`;
    this.#database.run(last, message, revisionId, type, number);
  }
}

function valuesOf({ startTime, endTime, level, query }: LogFilter): (string | null)[] {
  const [ofLevel, withText] = [level ?? null, query ?? null];
  return [startTime ?? NO_TIME, endTime ?? ANY_TIME, ofLevel, ofLevel, withText, withText];
}
