/** Work on things of a name, of which one piece is done at a time. */
export class KeyedMutex {
  readonly #turns = new Map<string, Promise<unknown>>();

  /** Works when all work of this name that came before has ended; throws the signal's reason when aborted before. */
  async take<Result>(name: string, signal: AbortSignal, work: () => Promise<Result>) {
    for (let turn = this.#turns.get(name); turn; turn = this.#turns.get(name))
      await endOf(turn, signal);
    signal.throwIfAborted();
    const turn = work();
    this.#turns.set(name, turn);
    try {
      return await turn;
    } finally {
      this.#turns.delete(name);
    }
  }
}

/** Resolves at the end of a turn, however it ends; rejects when the signal is aborted before. */
function endOf(turn: Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    turn.then(resolve, resolve);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
