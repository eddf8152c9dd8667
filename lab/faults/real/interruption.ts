import { killProcess, type Running, until } from "../../../scripts/processes";
import type { PulumiCommands } from "../../../scripts/pulumi-commands";
import type { Answer, Fault, Passing, FaultInjector } from "../proxy";
import type { Random } from "../random";
import { isWrite } from "../requests";
import type { RealPlatform } from "./platform";

const SIGNALS = [
  "kill -9 of the command line",
  "kill -9 of the provider",
  "kill -9 of both",
  "kill -9 of the platform",
  "Ctrl-C",
  "Ctrl-C twice",
] as const;

/** One interruption of a command. */
export interface Interruption {
  readonly signal: (typeof SIGNALS)[number];
  /** The number of the request, or of the write among the writes, from 1. */
  readonly at: number;
  readonly among: "requests" | "writes";
  /** Before or after the request takes effect. */
  readonly moment: "before" | "after";
  /** The time until the platform starts again. */
  readonly awayMs: number;
}

const PAUSE_LIMIT_SECONDS = 30;
const QUIET_MS = 1_000;

/** An interruption at one of the requests that so many resources send. */
export function anInterruption(random: Random, resources: number): Interruption {
  const among = random.pick(["requests", "writes"]);
  return {
    signal: random.pick(SIGNALS),
    at: 1 + random.below(among === "writes" ? resources : 2 * resources),
    among,
    moment: random.pick(["before", "after"]),
    awayMs: random.pick([0, 500, 3_000]),
  };
}

interface Parts {
  readonly platform: RealPlatform;
  readonly commands: PulumiCommands;
  readonly note: (line: string) => void;
}

/** Counts the requests of commands, and interrupts one of them. */
export class Interrupter implements FaultInjector {
  readonly #parts: Parts;
  #armed: { readonly interruption: Interruption; readonly running: Running } | undefined;
  #counts = { requests: 0, writes: 0 };
  #chosen: Passing | undefined;
  #providers: readonly number[] = [];
  #lastRequestMs = 0;
  #after: Promise<void> = Promise.resolve();
  /** Writes since `count`. */
  writes: string[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The next requests are those of this command. */
  arm(interruption: Interruption, running: Running): void {
    this.#armed = { interruption, running };
    this.#counts = { requests: 0, writes: 0 };
  }

  /** Resolves to the request at which the command was interrupted, when everything that followed from it has happened. */
  async end(): Promise<string | undefined> {
    await this.#after;
    const { interruption } = this.#armed ?? {};
    const at = this.#chosen;
    this.#armed = this.#chosen = undefined;
    // A dynamic provider that has lost its command line does its work to the end.
    if (at !== undefined && interruption?.signal === "kill -9 of the command line")
      await until("silence", () => Date.now() - this.#lastRequestMs > QUIET_MS);
    return at && `${at.method} ${at.path}`;
  }

  async meet(passing: Passing): Promise<void> {
    this.#lastRequestMs = Date.now();
    this.#counts.requests += 1;
    if (isWrite(passing.method, passing.path)) {
      this.#counts.writes += 1;
      this.writes.push(`${passing.method} ${passing.path}`);
    }
    if (this.#armed === undefined || this.#chosen !== undefined) return;
    const { among, at } = this.#armed.interruption;
    const counts = among === "requests" || isWrite(passing.method, passing.path);
    if (!counts || this.#counts[among] !== at) return;
    this.#chosen = passing;
    this.#providers = await this.#parts.commands.providers();
  }

  at(passing: Passing, moment: "before" | "after"): Fault | undefined {
    if (passing !== this.#chosen || moment !== this.#armed?.interruption.moment) return undefined;
    const { interruption, running } = this.#armed;
    this.#parts.note(`  ${interruption.signal} ${moment} ${passing.method} ${passing.path}`);
    return this.#interrupt(interruption, running) ? "kill" : undefined;
  }

  remember({ method, path }: Passing, { status }: Answer): void {
    this.#parts.note(`    ${method} ${path} -> ${status}`);
  }

  staleAnswer(): undefined {
    return undefined;
  }

  /** Returns whether it loses the response. */
  #interrupt({ signal, awayMs }: Interruption, running: Running): boolean {
    switch (signal) {
      case "kill -9 of the command line":
        running.kill();
        return false;
      case "kill -9 of the provider":
        this.#providers.forEach(killProcess);
        return true;
      case "kill -9 of both":
        running.kill();
        this.#providers.forEach(killProcess);
        return true;
      case "kill -9 of the platform":
        this.#parts.platform.kill();
        this.#after = this.#parts.platform.restart(awayMs);
        return true;
      case "Ctrl-C":
        running.interrupt();
        return false;
      case "Ctrl-C twice":
        running.interrupt();
        this.#after = interruptAgain(running);
        return false;
    }
  }
}

/** The second Ctrl-C comes when the command line has shown the first. */
async function interruptAgain(running: Running): Promise<void> {
  let hasEnded = false;
  void running.finished.then(() => (hasEnded = true));
  await until(
    "the first Ctrl-C",
    () => hasEnded || running.text().includes("press ^C again"),
    PAUSE_LIMIT_SECONDS,
  );
  if (!hasEnded) running.interrupt();
}
