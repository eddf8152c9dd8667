import type { Clock } from "../clock";
import type { Revision } from "../drivers/driver";
import { Crashes } from "./crashes";
import type { Launcher } from "./launcher";
import { describeEnding, type Server } from "./server";
import { unavailable, type State } from "./state";
import { traffic } from "./traffic";

/** What a deployment's supervisor works with. */
export interface SupervisorParts {
  readonly launcher: Launcher;
  /** Resolves when it may have a server; after that it is counted until `giveUpRoom`. */
  readonly takeRoom: (supervisor: Supervisor) => Promise<void>;
  readonly giveUpRoom: (supervisor: Supervisor) => void;
  readonly clock: Clock;
  /** How long running requests may take to finish before their server is asked to end. */
  readonly drainSeconds: number;
}

const GIVEN_UP =
  "the server failed five times within a minute and is not started again until the next revision";

/** Keeps the server of one deployment: starts it when asked for, restarts it after a crash, rolls it over. */
export class Supervisor {
  readonly #parts: SupervisorParts;
  readonly #closing = new AbortController();
  readonly #retiring = new Set<Server>();
  #state: State;
  #deploying = false;
  #crashes = new Crashes();
  /** Aborted when another revision takes over, or at the close: ends a start or a pause under way. */
  #tenure = new AbortController();
  #usedMs = 0;

  /** `revision` is started at the first request; without one there is nothing to start until the first deploy. */
  constructor(parts: SupervisorParts, revision?: Revision) {
    this.#parts = parts;
    this.#state = revision ? { kind: "idle", revision } : { kind: "vacant" };
  }

  /** Whether it has a server or is about to have one. */
  get isActive(): boolean {
    return this.#deploying || this.#state.kind === "running" || this.#state.kind === "starting";
  }

  /** Whether its server can be stopped for another one's. */
  get isStoppable(): boolean {
    return this.#state.kind === "running" && !this.#deploying;
  }

  /** Whether a request is running on its server. */
  get isBusy(): boolean {
    return this.#state.kind === "running" && traffic.count(this.#state.server.origin) > 0;
  }

  /** When its server was started or asked for last, in milliseconds since 1970. */
  get usedMs(): number {
    return this.#usedMs;
  }

  /** Where its server answers; starts it when it does not run. */
  async origin(): Promise<string> {
    const state = this.#state;
    const nowMs = this.#nowMs();
    this.#usedMs = nowMs;
    if (state.kind === "running") return state.server.origin;
    if (state.kind === "starting") return state.origin;
    if (state.kind === "idle") return this.#start(state.revision);
    throw unavailable(state, nowMs);
  }

  /** Starts the server of a new revision and lets it take over when it answers; until then nothing changes. */
  async deploy(
    revision: Revision,
    signal: AbortSignal,
    log: (line: string) => void,
  ): Promise<void> {
    this.#deploying = true;
    try {
      if (this.#state.kind !== "running") await this.#parts.takeRoom(this);
      const server = await this.#launch(revision, signal, log);
      const old = this.#state;
      this.#tenure.abort();
      this.#tenure = new AbortController();
      this.#crashes = new Crashes();
      this.#adopt(revision, server);
      if (old.kind === "running") void this.#retire(old.server);
    } finally {
      this.#deploying = false;
      this.#giveUpUnusedRoom();
    }
  }

  /** Stops its server once the requests that run there have finished; the next request starts it again. */
  async stop(): Promise<void> {
    if (this.#state.kind !== "running") return;
    const { revision, server } = this.#state;
    this.#become({ kind: "idle", revision });
    await this.#retire(server);
  }

  /** Ends all of its servers, whatever runs there. */
  async close(): Promise<void> {
    const state = this.#state;
    this.#closing.abort();
    this.#tenure.abort();
    this.#become({ kind: "failed", reason: "the deployment is being closed" });
    if (state.kind === "running") this.#retiring.add(state.server);
    const starting = state.kind === "starting" ? state.origin : undefined;
    await Promise.allSettled([starting, ...[...this.#retiring].map((server) => server.end())]);
  }

  #start(revision: Revision): Promise<string> {
    const origin = this.#startAfterRoom(revision, this.#tenure.signal);
    this.#become({ kind: "starting", origin });
    return origin;
  }

  async #startAfterRoom(revision: Revision, tenure: AbortSignal): Promise<string> {
    const startedMs = this.#nowMs();
    try {
      await this.#parts.takeRoom(this);
      const server = await this.#launch(revision, tenure);
      this.#adopt(revision, server);
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      if (!tenure.aborted) this.#crashed(revision, words, startedMs);
      this.#giveUpUnusedRoom();
    }
    return this.origin(); // of whatever runs now, or why nothing does
  }

  /** A server that comes too late is ended here: whoever asked for it is gone. */
  async #launch(revision: Revision, signal: AbortSignal, log?: (line: string) => void) {
    const either = AbortSignal.any([signal, this.#closing.signal]);
    const server = await this.#parts.launcher.start(revision, either, log);
    if (either.aborted) await server.end();
    either.throwIfAborted();
    return server;
  }

  #adopt(revision: Revision, server: Server): void {
    const startedMs = this.#nowMs();
    this.#usedMs = startedMs;
    this.#become({ kind: "running", revision, server });
    void server.ended.then((ending) => {
      if (this.#state.kind !== "running" || this.#state.server !== server) return;
      this.#crashed(revision, describeEnding("the server", ending), startedMs);
    });
  }

  #crashed(revision: Revision, words: string, startedMs: number): void {
    const nowMs = this.#nowMs();
    const pauseSeconds = this.#crashes.add(nowMs, nowMs - startedMs);
    const [first, ...lines] = words.split("\n");
    const reason = [first, ...lines.slice(-1)].join(" ");
    if (pauseSeconds === undefined) {
      this.#become({ kind: "failed", reason: `${GIVEN_UP}: ${reason}` });
      return;
    }
    this.#become({ kind: "pausing", untilMs: nowMs + pauseSeconds * 1000, reason });
    this.#parts.clock.sleep(pauseSeconds * 1000, this.#tenure.signal).then(
      () => this.#start(revision).catch(() => {}), // whoever asks is told by the state
      () => {}, // another revision took over
    );
  }

  async #retire(server: Server): Promise<void> {
    this.#retiring.add(server);
    await traffic.quiet(server.origin, this.#parts.drainSeconds);
    await server.end();
    this.#retiring.delete(server);
  }

  #become(state: State): void {
    this.#state = state;
    this.#giveUpUnusedRoom();
  }

  #giveUpUnusedRoom(): void {
    if (!this.isActive) this.#parts.giveUpRoom(this);
  }

  #nowMs(): number {
    return this.#parts.clock.now().getTime();
  }
}
