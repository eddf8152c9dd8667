import { messageOf } from "../../../../shared/errors";
import { mask } from "../../../logs/masking";
import type { Time } from "../../../../shared/clock";
import { ServerUnavailable, type Revision, type ServerStatus } from "../../driver";
import type { Exit } from "../keeper/keeper";
import { describeExit, launch, type Launcher, type Server } from "./server";

export interface ManagedServerOptions {
  readonly launcher: Launcher;
  readonly clock: Time;
  readonly acquireSlot: (signal: AbortSignal) => Promise<void>;
}

/** Stopped: the next request starts it. Paused: it restarts after a back-off. Failed: it is not started again. */
type State =
  | { readonly kind: "stopped" }
  | { readonly kind: "starting"; readonly origin: Promise<string> }
  | { readonly kind: "running"; readonly server: Server }
  | { readonly kind: "paused"; readonly untilMs: number; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string };

const WINDOW_MS = 60_000;
const MAX_CRASHES = 5;
const MAX_PAUSE_SECONDS = 30;

/** The back-off of a server that crashes: 1, 2, 4 … 30 s; none after five crashes within a minute. */
export class Crashes {
  #inRow = 0;
  #timesMs: number[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Adds a crash after so much time of running. Returns the pause before the restart; undefined to give up. */
  add(atMs: number, ranMs: number): number | undefined {
    this.#timesMs = [...this.#timesMs.filter((timeMs) => atMs - timeMs < WINDOW_MS), atMs];
    this.#count += 1;
    this.#inRow = ranMs < WINDOW_MS ? this.#inRow + 1 : 1;
    if (this.#timesMs.length >= MAX_CRASHES) return undefined;
    return Math.min(2 ** (this.#inRow - 1), MAX_PAUSE_SECONDS);
  }
}

/** The server of one revision: started on demand, restarted after a crash. */
export class ManagedServer {
  readonly revision: Revision;
  readonly #options: ManagedServerOptions;
  readonly #crashes = new Crashes();
  readonly #closing = new AbortController();
  #state: State = { kind: "stopped" };
  #usedMs = 0;

  /** `server` is one that runs already. */
  constructor(options: ManagedServerOptions, revision: Revision, server?: Server) {
    this.#options = options;
    this.revision = revision;
    if (server) this.#setRunning(server);
  }

  get server(): Server | undefined {
    return this.#state.kind === "running" ? this.#state.server : undefined;
  }

  get status(): Omit<ServerStatus, "memoryBytes"> & { readonly processGroup?: number | undefined } {
    const state = this.#state;
    const crashes = this.#crashes.count;
    if (state.kind === "paused" || state.kind === "failed")
      return { state: "crashed", crashes, reason: state.reason };
    return { state: state.kind, crashes, processGroup: this.server?.processGroup };
  }

  get isActive(): boolean {
    return this.#state.kind === "running" || this.#state.kind === "starting";
  }

  get usedMs(): number {
    return this.#usedMs;
  }

  async origin(): Promise<string> {
    const state = this.#state;
    const nowMs = this.#nowMs();
    this.#usedMs = nowMs;
    switch (state.kind) {
      case "running":
        return state.server.origin;
      case "starting":
        return state.origin;
      case "stopped":
        return this.#start();
      case "paused": {
        const retryAfterSeconds = Math.max(Math.ceil((state.untilMs - nowMs) / 1000), 1);
        const message = `${state.reason}; restarting in ${retryAfterSeconds} s`;
        throw new ServerUnavailable(message, { retryAfterSeconds });
      }
      case "failed":
        throw new ServerUnavailable(state.reason);
    }
  }

  /** Resolves when no start is in progress. */
  async settled(): Promise<void> {
    while (this.#state.kind === "starting") await this.#state.origin.catch(() => {});
  }

  /** Stops the server, or its pause, until the next request. Resolves with the exit of a server that ran. */
  async stop(): Promise<Exit | undefined> {
    await this.settled();
    const { server } = this;
    if (this.#state.kind !== "failed") this.#state = { kind: "stopped" };
    return server?.end();
  }

  /** Prevents any further start; the caller ends a server that runs. */
  async close(): Promise<void> {
    const state = this.#state;
    this.#closing.abort();
    this.#state = { kind: "failed", reason: "the deployment is shutting down" };
    if (state.kind === "starting") await state.origin.catch(() => {});
  }

  #start(): Promise<string> {
    const origin = this.#launch(); // asks for a slot while the state still says whether it has one
    this.#state = { kind: "starting", origin };
    return origin;
  }

  async #launch(): Promise<string> {
    const startedMs = this.#nowMs();
    const { revision } = this;
    const { launcher, acquireSlot } = this.#options;
    const { signal } = this.#closing;
    try {
      await acquireSlot(signal);
      this.#setRunning(await launch(launcher, { revision, signal }));
    } catch (error) {
      if (!signal.aborted) this.#setCrashed(messageOf(error), startedMs);
    }
    return this.origin();
  }

  #setRunning(server: Server): void {
    const startedMs = this.#nowMs();
    this.#usedMs = startedMs;
    this.#state = { kind: "running", server };
    void server.ended.then((exit) => {
      if (this.server === server) this.#setCrashed(describeExit("the server", exit), startedMs);
    });
  }

  #setCrashed(message: string, startedMs: number): void {
    const nowMs = this.#nowMs();
    const pauseSeconds = this.#crashes.add(nowMs, nowMs - startedMs);
    const [first = ""] = message.split("\n");
    // The proxy sends the reason to any caller.
    const reason = mask(first, this.revision.secrets);
    const { launcher } = this.#options;
    if (pauseSeconds === undefined) {
      const failed = `the server failed ${MAX_CRASHES} times within a minute: ${reason}; deploy a new revision to start it again`;
      this.#state = { kind: "failed", reason: failed };
      launcher.log(this.revision, failed, "ERROR");
      return;
    }
    launcher.log(this.revision, `${reason}; restarting in ${pauseSeconds} s`, "WARNING");
    const pause: State = { kind: "paused", untilMs: nowMs + pauseSeconds * 1000, reason };
    this.#state = pause;
    const restart = () => {
      if (this.#state === pause) this.#start().catch(() => {}); // the state holds the reason
    };
    this.#options.clock.sleep(pauseSeconds * 1000, this.#closing.signal).then(restart, () => {});
  }

  #nowMs(): number {
    return this.#options.clock.now();
  }
}
