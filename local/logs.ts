import { rmSync } from "node:fs";
import { join } from "node:path";
import type { LogType } from "../sdk/schema";
import type { Clock } from "./clock";
import { LogFile } from "./log-file";
import { mask } from "./masking";

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

/** The logs of all revisions: text of at most 10 MB each, the newest of it; a line is `<time> <level> <message>`. */
export class Logs {
  readonly #folder: string;
  readonly #clock: Clock;

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /** Adds a line, or several when the text holds line breaks; secret values are masked. */
  write(name: LogName, level: LogLevel, text: string, secrets: readonly { value: string }[]): void {
    const lines = this.#lines(level, mask(text, secrets));
    this.#file(name).append(lines, () => this.#lines("WARNING", GOES_ON));
  }

  /**
   * A page of lines. The offset counts from the log's beginning in either order: where the next line begins in `asc`,
   * where it ends in `desc`, so that lines which are added or dropped meanwhile move nothing.
   */
  page(name: LogName, { limit, order, offset }: LogPlace): LogPage {
    const file = this.#file(name);
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
    return { logs, next_offset: null };
  }

  /** Removes all logs of a deployment. */
  remove(deploymentId: string): void {
    rmSync(join(this.#folder, deploymentId), { recursive: true, force: true });
  }

  #lines(level: LogLevel, text: string): string {
    const time = this.#clock.now().toISOString();
    const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
    return lines.map((line) => `${time} ${level} ${line}\n`).join("");
  }

  #folderOf({ deploymentId }: LogName): string {
    return join(this.#folder, deploymentId);
  }

  #file(name: LogName): LogFile {
    return new LogFile(join(this.#folderOf(name), `${name.revisionId}.${name.type}.log`));
  }
}

/** Undefined for what is no whole line, as after a text of which only the end was kept. */
function parseLine(text: string): LogLine | undefined {
  const [, timestamp = "", level = "", message] = /^(\S+) ([A-Z]+) (.*)$/s.exec(text) ?? [];
  return message === undefined ? undefined : { timestamp, level, message };
}
