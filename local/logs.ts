import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import type { LogType } from "../sdk/schema";
import type { Clock } from "./clock";
import { mask } from "./masking";

/** A log is two files at most: a full one gives way to an empty one and takes the place of the one before. */
const MAX_FILE_BYTES = 5 * 1024 * 1024;
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
    const path = this.#path(name);
    let lines = this.#lines(level, mask(text, secrets));
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    if (size === undefined) mkdirSync(this.#folderOf(name), { recursive: true, mode: 0o700 });
    else if (size + Buffer.byteLength(lines) > MAX_FILE_BYTES) {
      renameSync(path, olderOf(path));
      lines = this.#lines("WARNING", GOES_ON) + lines;
    }
    appendFileSync(path, Buffer.from(lines).subarray(-MAX_FILE_BYTES), { mode: 0o600 });
  }

  /** Every line that is kept, oldest first. */
  read(name: LogName): LogLine[] {
    const path = this.#path(name);
    const text = [olderOf(path), path]
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file, "utf8"))
      .join("");
    return text.split("\n").flatMap((line) => {
      const [, timestamp = "", level = "", message] = /^(\S+) ([A-Z]+) (.*)$/s.exec(line) ?? [];
      return message === undefined ? [] : [{ timestamp, level, message }];
    });
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

  #path(name: LogName): string {
    return join(this.#folderOf(name), `${name.revisionId}.${name.type}.log`);
  }
}

function olderOf(path: string): string {
  return `${path}.older`;
}
