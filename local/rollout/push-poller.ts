import type { Time } from "../../shared/clock";
import { messageOf } from "../../shared/errors";
import type { LogLevel, Logs } from "../logs/logs";
import { reportFailure } from "../platform/stderr";
import { detectPushes, type PushDetectionParts } from "./push-detection";

/** Dependencies of the poller. */
export interface PushPollerParts extends PushDetectionParts {
  readonly logs: Logs;
  /** For the intervals: real time, however far the platform's clock is advanced. */
  readonly time: Time;
}

/** A push to a `file://` repository is detected within 3 s, to any other within 30 s; git takes the rest. */
const FILE_INTERVAL_MS = 2_000;
const REMOTE_INTERVAL_MS = 25_000;
const MAX_INTERVAL_MS = 300_000;

/** Polls the repositories of deployments with `build_on_push`, each with one request for all of its deployments. */
export class PushPoller {
  readonly #parts: PushPollerParts;
  readonly #closing = new AbortController();
  /** The repositories that are polled, each until no deployment needs it. */
  readonly #polled = new Map<string, Promise<void>>();
  #ended: Promise<void> | undefined;

  constructor(parts: PushPollerParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#ended = this.#run();
  }

  /** Resolves when no poll is in progress. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    let failures = 0;
    while (!signal.aborted) {
      try {
        this.#pollAll();
        failures = 0;
      } catch (error) {
        if (failures === 0) reportFailure("poll for pushes (retrying)", error);
        failures += 1;
      }
      await this.#sleep(FILE_INTERVAL_MS);
    }
    await Promise.all(this.#polled.values());
  }

  #pollAll(): void {
    const { store } = this.#parts;
    store.seenBranches.forgetUntracked();
    for (const repoUrl of store.deployments.repositoriesBuiltOnPush()) {
      if (this.#polled.has(repoUrl)) continue;
      const polling = this.#poll(repoUrl)
        .catch((error: unknown) => reportFailure(`poll ${repoUrl} for pushes`, error))
        .finally(() => this.#polled.delete(repoUrl));
      this.#polled.set(repoUrl, polling);
    }
  }

  /** Doubles the interval after each failure, and logs the first failure and the recovery. */
  async #poll(repoUrl: string): Promise<void> {
    const { store } = this.#parts;
    const { signal } = this.#closing;
    const intervalMs = repoUrl.startsWith("file:") ? FILE_INTERVAL_MS : REMOTE_INTERVAL_MS;
    let failures = 0;
    while (!signal.aborted && store.deployments.builtOnPush(repoUrl).length > 0) {
      const failure = await this.#failureOfPoll(repoUrl);
      if (signal.aborted) break;
      if (failure !== undefined && failures === 0)
        this.#log(repoUrl, "WARNING", `cannot detect pushes (retrying): ${failure}`);
      if (failure === undefined && failures > 0)
        this.#log(repoUrl, "INFO", "pushes are detected again");
      failures = failure === undefined ? 0 : failures + 1;
      await this.#sleep(Math.min(intervalMs * 2 ** failures, MAX_INTERVAL_MS));
    }
  }

  async #failureOfPoll(repoUrl: string): Promise<string | undefined> {
    try {
      await detectPushes(this.#parts, repoUrl, this.#closing.signal);
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  }

  /** Writes to the build log of the latest revision of each deployment that tracks the repository. */
  #log(repoUrl: string, level: LogLevel, text: string): void {
    const { store, logs } = this.#parts;
    for (const { latest_revision_id, secrets } of store.deployments.builtOnPush(repoUrl)) {
      const name = { revisionId: latest_revision_id, type: "build" } as const;
      logs.write(name, level, text, secrets);
    }
  }

  #sleep(milliseconds: number): Promise<void> {
    const { signal } = this.#closing;
    return this.#parts.time.sleep(milliseconds, signal).catch(() => undefined);
  }
}
