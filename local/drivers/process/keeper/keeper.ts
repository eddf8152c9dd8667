import { randomUUID } from "node:crypto";
import { startChild, type Child, type Command, type Exit } from "./child";
import { folderMark } from "./leftovers";
import { StageFailure } from "../../driver";

export { KILLED, type Child, type Command, type Exit, type Environment } from "./child";
export { endLeftovers } from "./leftovers";

/** Starts the platform's child processes; none of them outlives the platform. */
export class Keeper {
  readonly #mark: string;
  readonly #graceSeconds: number;
  readonly #children = new Set<Child>();

  /** `graceSeconds` is the time between TERM and KILL. `dataDir` must exist. */
  constructor(dataDir: string, graceSeconds = 5) {
    this.#mark = folderMark(dataDir);
    this.#graceSeconds = graceSeconds;
  }

  /** Starts a command that runs until it exits, is ended, or the platform ends. */
  start(command: Command): Child {
    const child = startChild(command, this.#mark + randomUUID(), this.#graceSeconds);
    this.#children.add(child);
    void child.ended.then(() => this.#children.delete(child));
    return child;
  }

  /** Runs a command until it exits. When the signal is aborted, ends the command and throws the signal's reason. */
  async run(command: Command, signal: AbortSignal): Promise<Exit> {
    signal.throwIfAborted();
    const child = this.start(command);
    const end = () => void child.end();
    signal.addEventListener("abort", end, { once: true });
    const ending = await child.ended;
    signal.removeEventListener("abort", end);
    signal.throwIfAborted();
    return ending;
  }

  /** The same within a time limit. Throws `StageFailure` with the name of a command that exceeds it. */
  async runWithin(seconds: number, name: string, command: Command, signal: AbortSignal) {
    const limit = AbortSignal.timeout(seconds * 1000);
    try {
      return await this.run(command, AbortSignal.any([signal, limit]));
    } catch (error) {
      if (signal.aborted || !limit.aborted) throw error;
      throw new StageFailure(`${name} timed out after ${seconds} s`);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#children].map((child) => child.end()));
  }
}
