import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import type { Table } from "./table";

/** One bench. */
export interface Bench {
  /** Its subject, in one line. */
  readonly about: string;
  readonly measure: (run: Run, options: BenchOptions) => Promise<void>;
  /** Whether it runs only when it is named. */
  readonly isExtra?: true;
}

/** What can be said on the command line; a bench reads what concerns it. */
export interface BenchOptions {
  readonly kills: number;
  readonly minutes: number;
}

/** The line that a server prints when it listens; the keys are sent with every request. */
const Listening = z.object({
  port: z.int(),
  apiKey: z.string().default("none"),
  workspaceId: z.string().default("none"),
});

/** A server on loopback, in a process of its own. */
export interface Server extends z.infer<typeof Listening> {
  readonly url: string;
  readonly pid: number;
  /** When its process was started, on the clock of `performance.now()`. */
  readonly startedMs: number;
  readonly stop: () => Promise<void>;
}

const GRACE_MS = 5000;

/** One run of a bench: the servers that it starts, and the temporary folder they work in. */
export class Run {
  readonly folder = mkdtempSync(join(tmpdir(), "agentserver-bench-"));
  /** Aborted when the run must end at once. */
  readonly signal: AbortSignal;
  /** Shows what is going on. */
  readonly say: (text: string) => void;
  /** Shows what has been measured, as soon as it is complete: a run that is stopped keeps it. */
  readonly show: (table: Table) => void;
  readonly #children = new Set<ChildProcess>();

  private constructor({ signal, say, show }: Pick<Run, "signal" | "say" | "show">) {
    this.signal = signal;
    this.say = say;
    this.show = show;
  }

  /** Measures in a new run, of which nothing is left afterwards, however it ends. */
  static async with(
    options: Pick<Run, "signal" | "say" | "show">,
    measure: (run: Run) => Promise<void>,
  ): Promise<void> {
    const run = new Run(options);
    try {
      await measure(run);
    } catch (error) {
      // A request that an abort ends fails with a message of its own.
      run.signal.throwIfAborted();
      throw error;
    } finally {
      await Promise.all([...run.#children].map(end));
      await rm(run.folder, { recursive: true, force: true });
    }
  }

  /** Starts a Node script that prints one line of JSON when it listens; throws when it ends without. */
  async start(script: string, ...args: readonly string[]): Promise<Server> {
    this.signal.throwIfAborted();
    const startedMs = performance.now();
    const child = spawn(process.execPath, [script, ...args], {
      cwd: this.folder,
      stdio: ["ignore", "pipe", "inherit"],
      // A Ctrl-C in the terminal is for the bench: it ends its servers after the last request to them.
      detached: true,
    });
    this.#children.add(child);
    for await (const line of createInterface({ input: child.stdout, signal: this.signal })) {
      const listening = Listening.parse(JSON.parse(line));
      const url = `http://127.0.0.1:${listening.port}`;
      return { ...listening, url, pid: child.pid ?? 0, startedMs, stop: () => end(child) };
    }
    this.signal.throwIfAborted();
    throw new Error(`${script} ended before it listened`);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill();
  const timer = setTimeout(() => child.kill("SIGKILL"), GRACE_MS);
  await ended;
  clearTimeout(timer);
}
