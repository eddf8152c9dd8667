const WINDOW_MS = 60_000;
const MOST_IN_WINDOW = 5;
const LONGEST_PAUSE_SECONDS = 30;

/** The crashes of one server, and what they mean: restart after 1, 2, 4 … 30 s; five within a minute are too many. */
export class Crashes {
  #inRow = 0;
  #times: number[] = [];

  /** Notes a crash after that much running; the seconds to wait before the restart, or undefined for "never again". */
  add(atMs: number, ranMs: number): number | undefined {
    this.#times = [...this.#times.filter((time) => atMs - time < WINDOW_MS), atMs];
    this.#inRow = ranMs < WINDOW_MS ? this.#inRow + 1 : 1;
    if (this.#times.length >= MOST_IN_WINDOW) return undefined;
    return Math.min(2 ** (this.#inRow - 1), LONGEST_PAUSE_SECONDS);
  }
}
