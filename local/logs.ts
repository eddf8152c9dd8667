import { appendFileSync, mkdirSync, rmSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { LogType } from "../sdk/schema";
import type { Clock } from "./clock";
import { mask } from "./masking";

const MAX_LOG_BYTES = 10 * 1024 * 1024;
/** So much of it is kept for the reason why a stage ended. */
const REASON_BYTES = 64 * 1024;

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

/** The logs of all revisions: text files of at most 10 MB, a line is `<time> <level> <message>`. */
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
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    if (size === undefined) mkdirSync(this.#folderOf(name), { recursive: true, mode: 0o700 });
    const limit = level === "INFO" ? MAX_LOG_BYTES - REASON_BYTES : MAX_LOG_BYTES;
    const room = limit - (size ?? 0);
    if (room <= 0) return;
    const lines = Buffer.from(this.#lines(level, mask(text, secrets)));
    const cut = this.#lines("WARNING", "the log is full, what follows is left out");
    const fitting = lines.length <= room ? lines : `${lines.subarray(0, room).toString()}\n${cut}`;
    appendFileSync(path, fitting, { mode: 0o600 });
  }

  /** Every line, oldest first. */
  async read(name: LogName): Promise<LogLine[]> {
    const text = await readFile(this.#path(name), "utf8").catch(emptyWhenAbsent);
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

function emptyWhenAbsent(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT") return "";
  throw error;
}
