/** A mutex for each key. */
export class KeyedMutex {
  readonly #running = new Map<string, Promise<unknown>>();

  /** Runs `work` when all earlier work on this key has ended. Throws the signal's reason if it is aborted before. */
  async runExclusive<Result>(key: string, signal: AbortSignal, work: () => Promise<Result>) {
    for (let other = this.#running.get(key); other; other = this.#running.get(key))
      await settled(other, signal);
    signal.throwIfAborted();
    const running = work();
    this.#running.set(key, running);
    try {
      return await running;
    } finally {
      this.#running.delete(key);
    }
  }
}

/** Resolves when the work is settled, either way; rejects when the signal is aborted before. */
function settled(work: Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    work.then(resolve, resolve);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
