import type { Time } from "../../../../shared/clock";
import type { Revision } from "../../driver";
import type { Ending } from "../keeper/keeper";
import { mask } from "../../../logs/masking";
import { Crashes } from "./crashes";
import { launch, type Launcher } from "./launcher";
import { describeEnding, type Server } from "./server";
import { unavailable, type State } from "./state";
import { messageOf } from "../../../../shared/errors";

/** What a tenure works with. */
export interface TenureParts {
  readonly launcher: Launcher;
  readonly clock: Time;
  /** Resolves when the deployment may have a server. */
  readonly acquireSlot: () => Promise<void>;
  /** Told after each change of what is running. */
  readonly changed: () => void;
}

const GIVEN_UP =
  "the server failed five times within a minute and is not started again until the next revision";

/** Keeps the server of the revision that a deployment runs: starts it when asked for, restarts it after a crash. */
export class ManagedServer {
  readonly revision: Revision;
  readonly #parts: TenureParts;
  readonly #crashes = new Crashes();
  /** Ends a start or a pause under way. */
  readonly #over = new AbortController();
  #state: State = { kind: "idle" };
  #usedMs = 0;

  /** Without a server that runs, one is started at the first request. */
  constructor(parts: TenureParts, revision: Revision, server?: Server) {
    this.#parts = parts;
    this.revision = revision;
    if (server) this.#adopt(server);
  }

  /** The one that runs, if any. */
  get server(): Server | undefined {
    return this.#state.kind === "running" ? this.#state.server : undefined;
  }

  /** Whether it has a server or is about to have one. */
  get isActive(): boolean {
    return this.#state.kind === "running" || this.#state.kind === "starting";
  }

  /** When its server was started or asked for last, in milliseconds since 1970. */
  get usedMs(): number {
    return this.#usedMs;
  }

  /** Where its server answers; starts it when it does not run. Throws `ServerUnavailable`. */
  async origin(): Promise<string> {
    const state = this.#state;
    const nowMs = this.#nowMs();
    this.#usedMs = nowMs;
    if (state.kind === "running") return state.server.origin;
    if (state.kind === "starting") return state.origin;
    if (state.kind === "idle") return this.#start();
    throw unavailable(state, nowMs);
  }

  /** Resolves when no start is under way. */
  async settled(): Promise<void> {
    while (this.#state.kind === "starting") await this.#state.origin.catch(() => {});
  }

  /** Ends its server, or its pause; the next request starts it again. Gives how it ended, if it ran. */
  async stop(): Promise<Ending | undefined> {
    await this.settled();
    const { server } = this;
    if (this.#state.kind !== "failed") this.#become({ kind: "idle" });
    return server?.end();
  }

  /** Starts nothing any more; a server that runs is left to the caller. */
  async close(): Promise<void> {
    const state = this.#state;
    this.#over.abort();
    this.#become({ kind: "failed", reason: "the deployment is being closed" });
    if (state.kind === "starting") await state.origin.catch(() => {});
  }

  #start(): Promise<string> {
    const origin = this.#startAfterRoom();
    this.#become({ kind: "starting", origin });
    return origin;
  }

  async #startAfterRoom(): Promise<string> {
    const startedMs = this.#nowMs();
    const { signal } = this.#over;
    try {
      await this.#parts.acquireSlot();
      this.#adopt(await launch(this.#parts.launcher, { revision: this.revision, signal }));
    } catch (error) {
      const words = messageOf(error);
      if (signal.aborted) this.#parts.changed(); // closed while it waited, it may have been given room since
      else this.#crashed(words, startedMs);
    }
    return this.origin(); // or why there is none
  }

  #adopt(server: Server): void {
    const startedMs = this.#nowMs();
    this.#usedMs = startedMs;
    this.#become({ kind: "running", server });
    void server.ended.then((ending) => {
      if (this.server === server) this.#crashed(describeEnding("the server", ending), startedMs);
    });
  }

  #crashed(words: string, startedMs: number): void {
    const nowMs = this.#nowMs();
    const pauseSeconds = this.#crashes.add(nowMs, nowMs - startedMs);
    const [first, ...lines] = words.split("\n");
    // Everyone who asks the proxy is told it.
    const reason = mask([first, ...lines.slice(-1)].join(" "), this.revision.secrets);
    if (pauseSeconds === undefined) {
      this.#become({ kind: "failed", reason: `${GIVEN_UP}: ${reason}` });
      return;
    }
    const pause: State = { kind: "pausing", untilMs: nowMs + pauseSeconds * 1000, reason };
    this.#become(pause);
    const restart = () => {
      if (this.#state === pause) this.#start().catch(() => {}); // whoever asks is told by the state
    };
    this.#parts.clock.sleep(pauseSeconds * 1000, this.#over.signal).then(restart, () => {});
  }

  #become(state: State): void {
    this.#state = state;
    this.#parts.changed();
  }

  #nowMs(): number {
    return this.#parts.clock.now();
  }
}
