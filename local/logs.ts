import { appendFileSync, mkdirSync, rmSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { LogLine, LogType } from "../sdk/schema";
import type { Clock } from "./clock";
import { mask } from "./masking";

const MAX_LOG_BYTES = 10 * 1024 * 1024;

/** The levels that the platform writes. */
export type LogLevel = "INFO" | "WARNING" | "ERROR";

/** Names one log of one revision. */
export interface LogName {
  readonly deploymentId: string;
  readonly revisionId: string;
  readonly type: LogType;
}

/** The logs of all revisions: text files of at most 10 MB below the data folder, `<time> <level> <message>` a line. */
export class Logs {
  readonly #folder: string;
  readonly #clock: Clock;

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /**
   * Adds a line, or several when `text` holds line breaks. Secret values are masked. A full log drops INFO lines only:
   * the reason of a failure is always its last line.
   */
  write(name: LogName, level: LogLevel, text: string, secrets: readonly { value: string }[]): void {
    const path = this.#path(name);
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size >= MAX_LOG_BYTES && level === "INFO") return;
    mkdirSync(join(this.#folder, name.deploymentId), { recursive: true, mode: 0o700 });
    const prefix = `${this.#clock.now().toISOString()} ${level} `;
    const lines = mask(text, secrets)
      .split(/\r?\n/)
      .map((line) => `${prefix}${line}\n`)
      .join("");
    const full = level === "INFO" && size + Buffer.byteLength(lines) >= MAX_LOG_BYTES;
    const notice = full ? `${prefix}the log is full: what follows is left out\n` : "";
    appendFileSync(path, full ? notice.padStart(MAX_LOG_BYTES - size) : lines, { mode: 0o600 });
  }

  /** Every line, oldest first. */
  async read(name: LogName): Promise<LogLine[]> {
    const text = await readFile(this.#path(name), "utf8").catch(emptyIfAbsent);
    return text.split("\n").flatMap((line) => {
      const [, timestamp, level, message] = /^(\S+) ([A-Z]+) (.*)$/.exec(line) ?? [];
      return timestamp && level && message !== undefined ? [{ timestamp, level, message }] : [];
    });
  }

  /** Removes all logs of a deployment. */
  remove(deploymentId: string): void {
    rmSync(join(this.#folder, deploymentId), { recursive: true, force: true });
  }

  #path({ deploymentId, revisionId, type }: LogName): string {
    return join(this.#folder, deploymentId, `${revisionId}.${type}.log`);
  }
}

function emptyIfAbsent(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT") return "";
  throw error;
}
