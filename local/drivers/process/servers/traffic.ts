import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 25;

/** A request that is being forwarded. */
interface Passage {
  /** Aborted when it has run long enough; the reason is an error for whoever asked. */
  readonly signal: AbortSignal;
  /** To be called when the answer's body has ended. */
  readonly leave: () => void;
}

/** How long running requests may take to finish, and who is told of those that do not. */
export interface Drain {
  readonly limitSeconds: number;
  readonly signal: AbortSignal;
  readonly log?: ((line: string) => void) | undefined;
}

/**
 * Requests that this process is forwarding, by the origin they go to: until the answer's body has ended. A port is one
 * server's at a time, so platforms in one process do not disturb each other.
 */
class Traffic {
  readonly #running = new Map<string, Set<AbortController>>();

  /** Notes a request. */
  enter(origin: string): Passage {
    const request = new AbortController();
    const running = this.#running.get(origin) ?? new Set();
    this.#running.set(origin, running.add(request));
    const leave = () => {
      if (running.delete(request) && running.size === 0) this.#running.delete(origin);
    };
    return { signal: request.signal, leave };
  }

  count(origin: string): number {
    return this.#running.get(origin)?.size ?? 0;
  }

  /**
   * Lets the requests that run there finish, for so long at most, then breaks off the others: a server that waits for them
   * at its end would be killed before it has written its threads to disk. At least one turn is waited for: whoever was
   * told the origin just before has come in by then. Aborted, it throws and breaks off nothing.
   */
  async drain(origin: string, { limitSeconds, signal, log }: Drain): Promise<void> {
    const deadline = Date.now() + limitSeconds * 1000;
    do {
      await sleep(POLL_MS);
      signal.throwIfAborted();
    } while (this.count(origin) > 0 && Date.now() < deadline);
    const left = this.count(origin);
    this.breakOff(origin);
    if (left > 0) log?.(`requests broken off as they ran for more than ${limitSeconds} s: ${left}`);
  }

  /** Breaks off the requests that run there. */
  breakOff(origin: string): void {
    const running = [...(this.#running.get(origin) ?? [])];
    for (const request of running) request.abort(new Error("it is being ended"));
  }
}

/** The one of this process. */
export const traffic = new Traffic();
