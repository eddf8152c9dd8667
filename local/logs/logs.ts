import { rmSync } from "node:fs";
import { join } from "node:path";
import type { LogType } from "../../sdk/schema";
import type { Time } from "../../shared/clock";
import { LogFile } from "./log-file";
import { mask } from "./masking";
import { reportFailure } from "../platform/stderr";
import { messageOf } from "../../shared/errors";

const GOES_ON = "a log keeps its newest 10 MB: what is older than this line goes as it grows";

/** The levels that the platform writes. */
export type LogLevel = "INFO" | "WARNING" | "ERROR";

/** A line of a log. */
export interface LogLine {
  readonly timestamp: string;
  readonly level: string;
  readonly message: string;
}

/** Names one log of one revision. */
export interface LogName {
  readonly deploymentId: string;
  readonly revisionId: string;
  readonly type: LogType;
}

/** Which lines of a log. */
export interface LogPlace {
  readonly limit: number;
  /** `desc` for the newest first. */
  readonly order: "asc" | "desc";
  /** The `next_offset` of the page before. @default the first line, or the last one */
  readonly offset?: number | undefined;
}

/** Lines, and where the next page begins, if there is one. */
export interface LogPage {
  readonly logs: LogLine[];
  readonly next_offset: string | null;
}

/** Lines that could not be written, and why not. */
interface Loss {
  readonly lines: number;
  readonly cause: unknown;
}

/** The logs of all revisions: text of at most 10 MB each, the newest of it; a line is `<time> <level> <message>`. */
export class Logs {
  readonly #folder: string;
  readonly #clock: Time;
  /** Of the logs that could not be written the last time, by path. */
  readonly #losses = new Map<string, Loss>();

  constructor(folder: string, clock: Time) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /**
   * Adds a line, or several when the text holds line breaks; secret values are masked. A log that can't be written ends
   * nothing that goes on: standard error tells of it once, and of each error, and the log itself when it can be written.
   */
  write(name: LogName, level: LogLevel, text: string, secrets: readonly { value: string }[]): void {
    const path = this.#path(name);
    const masked = mask(text, secrets);
    const lines = this.#lines(level, masked);
    const loss = this.#losses.get(path);
    // What could be written of a line is ended first.
    const gap = loss ? `\n${this.#lines("WARNING", missing(loss))}` : "";
    try {
      new LogFile(path).append(gap + lines, () => this.#lines("WARNING", GOES_ON));
      this.#losses.delete(path);
    } catch (cause) {
      this.#losses.set(path, { lines: (loss?.lines ?? 0) + linesOf(masked).length, cause });
      if (!loss) reportFailure(`can't write log ${path}`, cause);
      if (level === "ERROR") reportFailure(`revision ${name.revisionId}`, masked);
    }
  }

  /**
   * A page of lines. The offset counts from the log's beginning in either order: where the next line begins in `asc`,
   * where it ends in `desc`, so that lines which are added or dropped meanwhile move nothing. Throws where nothing could be
   * written.
   */
  page(name: LogName, { limit, order, offset }: LogPlace): LogPage {
    const path = this.#path(name);
    const file = new LogFile(path);
    const logs: LogLine[] = [];
    for (const { text, start, end } of order === "asc"
      ? file.forward(offset)
      : file.backward(offset)) {
      const line = parseLine(text);
      if (!line) continue;
      if (logs.length === limit)
        return { logs, next_offset: String(order === "asc" ? start : end) };
      logs.push(line);
    }
    const loss = this.#losses.get(path);
    if (loss && logs.length === 0)
      throw new Error(`log ${path}: ${missing(loss)}`, { cause: loss.cause });
    return { logs, next_offset: null };
  }

  /** Removes all logs of a deployment. */
  remove(deploymentId: string): void {
    rmSync(join(this.#folder, deploymentId), { recursive: true, force: true });
  }

  #lines(level: LogLevel, text: string): string {
    const time = new Date(this.#clock.now()).toISOString();
    return linesOf(text)
      .map((line) => `${time} ${level} ${line}\n`)
      .join("");
  }

  #path({ deploymentId, revisionId, type }: LogName): string {
    return join(this.#folder, deploymentId, `${revisionId}.${type}.log`);
  }
}

function linesOf(text: string): string[] {
  return text.replace(/\r?\n$/, "").split(/\r?\n/);
}

function missing({ lines, cause }: Loss): string {
  const reason = messageOf(cause);
  return `lines missing here, as they could not be written: ${lines} (${reason})`;
}

/** Undefined for what is no whole line, as after a text of which only the end was kept. */
function parseLine(text: string): LogLine | undefined {
  const [, timestamp = "", level = "", message] = /^(\S+) ([A-Z]+) (.*)$/s.exec(text) ?? [];
  return message === undefined ? undefined : { timestamp, level, message };
}
