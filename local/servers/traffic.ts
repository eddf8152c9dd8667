import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 25;

/**
 * Requests that this process is forwarding, by the origin they go to: until the answer's body has ended. A port is one
 * server's at a time, so platforms in one process do not disturb each other.
 */
class Traffic {
  readonly #running = new Map<string, number>();

  /** Notes a request; call what is returned when it has ended. */
  enter(origin: string): () => void {
    this.#add(origin, 1);
    let left = false;
    return () => {
      if (!left) this.#add(origin, -1);
      left = true;
    };
  }

  count(origin: string): number {
    return this.#running.get(origin) ?? 0;
  }

  /**
   * Resolves when nothing runs there, or when that time is over. At least one turn is waited for: whoever was told the
   * origin just before has come in by then.
   */
  async quiet(origin: string, limitSeconds: number): Promise<void> {
    const deadline = Date.now() + limitSeconds * 1000;
    do await sleep(POLL_MS);
    while (this.count(origin) > 0 && Date.now() < deadline);
  }

  #add(origin: string, change: number): void {
    const count = this.count(origin) + change;
    if (count > 0) this.#running.set(origin, count);
    else this.#running.delete(origin);
  }
}

/** The one of this process. */
export const traffic = new Traffic();
