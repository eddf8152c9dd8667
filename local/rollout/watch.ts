import { setMaxListeners } from "node:events";
import type { Time } from "../../shared/clock";
import type { LogLevel, Logs } from "../logs/logs";
import { reportFailure } from "../platform/stderr";
import { lookForPushes, type LookParts } from "./watch.look";
import { messageOf } from "../../shared/errors";

/** What the watch works with. */
export interface WatchParts extends LookParts {
  readonly logs: Logs;
  /** For the pauses between looks: real time, however far the platform's own clock is moved. */
  readonly time: Time;
}

/** A push to a `file://` repository is noticed within 3 s, to any other within 30 s; the rest is for git. */
const FILE_PAUSE_MS = 2_000;
const SERVER_PAUSE_MS = 25_000;
const LONGEST_PAUSE_MS = 300_000;

/** Looks for pushes to the repositories of deployments that are built on a push: one look at each for all of them. */
export class PushWatch {
  readonly #parts: WatchParts;
  readonly #closing = new AbortController();
  /** The repositories that are looked at, each until nobody wants that any more. */
  readonly #followed = new Map<string, Promise<void>>();
  #ended: Promise<void> | undefined;

  constructor(parts: WatchParts) {
    this.#parts = parts;
    // Every repository's pause listens for the end of the platform.
    setMaxListeners(0, this.#closing.signal);
  }

  start(): void {
    this.#ended = this.#run();
  }

  /** Resolves when no look is under way any more. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    let failures = 0;
    while (!signal.aborted) {
      try {
        this.#followAll();
        failures = 0;
      } catch (error) {
        if (failures === 0) reportFailure("look for pushes (tried again until it succeeds)", error);
        failures += 1;
      }
      await this.#pause(FILE_PAUSE_MS);
    }
    await Promise.all(this.#followed.values());
  }

  #followAll(): void {
    const { store } = this.#parts;
    store.seenBranches.forgetUntracked();
    for (const repoUrl of store.deployments.repositoriesBuiltOnPush()) {
      if (this.#followed.has(repoUrl)) continue;
      const following = this.#follow(repoUrl)
        .catch((error: unknown) => reportFailure(`look for pushes to ${repoUrl}`, error))
        .finally(() => this.#followed.delete(repoUrl));
      this.#followed.set(repoUrl, following);
    }
  }

  /** One that can't be looked at is tried again after ever longer pauses, and told of once. */
  async #follow(repoUrl: string): Promise<void> {
    const { store } = this.#parts;
    const { signal } = this.#closing;
    const pauseMs = repoUrl.startsWith("file:") ? FILE_PAUSE_MS : SERVER_PAUSE_MS;
    let failures = 0;
    while (!signal.aborted && store.deployments.builtOnPush(repoUrl).length > 0) {
      const failure = await this.#look(repoUrl);
      if (signal.aborted) break;
      if (failure !== undefined && failures === 0)
        this.#tell(repoUrl, "WARNING", `no pushes can be noticed: ${failure}`);
      if (failure === undefined && failures > 0)
        this.#tell(repoUrl, "INFO", "pushes are noticed again");
      failures = failure === undefined ? 0 : failures + 1;
      await this.#pause(Math.min(pauseMs * 2 ** failures, LONGEST_PAUSE_MS));
    }
  }

  /** Why the look did not succeed, if it did not. */
  async #look(repoUrl: string): Promise<string | undefined> {
    try {
      await lookForPushes(this.#parts, repoUrl, this.#closing.signal);
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  }

  /** Writes to the build log of the latest revision of everyone whom it concerns. */
  #tell(repoUrl: string, level: LogLevel, text: string): void {
    const { store, logs } = this.#parts;
    for (const { latest_revision_id, secrets } of store.deployments.builtOnPush(repoUrl)) {
      const name = { revisionId: latest_revision_id, type: "build" } as const;
      logs.write(name, level, text, secrets);
    }
  }

  #pause(milliseconds: number): Promise<void> {
    const { signal } = this.#closing;
    return this.#parts.time.sleep(milliseconds, signal).catch(() => undefined);
  }
}
