import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { z } from "zod";

/** Where a server on loopback answers. */
export interface Address {
  readonly port: number;
  /** Sent with every request. */
  readonly apiKey: string;
}

/** A server in a process of its own. */
export interface Server extends Address {
  readonly pid: number;
  /** When its process was started, on the clock of `performance.now()`. */
  readonly startedMs: number;
  stop(): Promise<void>;
}

type Child = ChildProcessByStdio<null, Readable, null>;

/** The line that a server prints when it listens; one that asks for no key tells none. */
const Told = z.object({ port: z.int(), apiKey: z.string().default("none") });

const GRACE_MS = 5000;

/** The servers of one bench and the temporary folder they work in; all is gone after `close()`. */
export class Servers {
  readonly folder: string;
  readonly #signal: AbortSignal;
  readonly #children = new Set<Child>();

  private constructor(folder: string, signal: AbortSignal) {
    this.folder = folder;
    this.#signal = signal;
  }

  static async open(signal: AbortSignal): Promise<Servers> {
    return new Servers(await mkdtemp(join(tmpdir(), "agentserver-bench-")), signal);
  }

  /** Starts a Node script that prints one line of JSON when it listens; throws when it ends without. */
  async start(script: string, ...args: readonly string[]): Promise<Server> {
    this.#signal.throwIfAborted();
    const startedMs = performance.now();
    const child = spawn(process.execPath, [script, ...args], {
      cwd: this.folder,
      stdio: ["ignore", "pipe", "inherit"],
      // A Ctrl-C in the terminal is for the bench: it ends its servers after the last request to them.
      detached: true,
    });
    this.#children.add(child);
    child.once("exit", () => this.#children.delete(child));
    const line = await this.#firstLine(child);
    if (line === undefined) throw new Error(`${script} ended before it listened`);
    const { port, apiKey } = Told.parse(JSON.parse(line));
    return { port, apiKey, pid: child.pid ?? 0, startedMs, stop: () => end(child) };
  }

  /** Ends every server and removes the folder. */
  async close(): Promise<void> {
    await Promise.all([...this.#children].map(end));
    await rm(this.folder, { recursive: true, force: true });
  }

  async #firstLine({ stdout }: Child): Promise<string | undefined> {
    const lines = createInterface({ input: stdout, signal: this.#signal });
    for await (const line of lines) return line;
    this.#signal.throwIfAborted();
    return undefined;
  }
}

async function end(child: Child): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill();
  const timer = setTimeout(() => child.kill("SIGKILL"), GRACE_MS);
  await ended;
  clearTimeout(timer);
}
