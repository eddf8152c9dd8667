import type { Time } from "../../../../shared/clock";
import { ServerUnavailable } from "../../driver";

const MOST_WAITING = 1000;
const LONGEST_WAIT_SECONDS = 30;

/** Requests that wait for their server: 1,000 at most, for 30 s at most. */
export class RequestGate {
  readonly #clock: Time;
  #length = 0;
  /** The end of all work so far; while it is there, all wait for it. */
  #held: Promise<void> | undefined;

  constructor(clock: Time) {
    this.#clock = clock;
  }

  /** What a request looks for, when that comes in time; throws `ServerUnavailable` otherwise. */
  async wait<Found>(look: () => Promise<Found>): Promise<Found> {
    if (this.#length >= MOST_WAITING)
      throw new ServerUnavailable(`${MOST_WAITING} requests wait for the server already`);
    this.#length += 1;
    const over = new AbortController();
    try {
      return await Promise.race([this.#passed().then(look), this.#tooLate(over.signal)]);
    } finally {
      this.#length -= 1;
      over.abort();
    }
  }

  /** Lets those who come while the work is done wait for its end; one piece of work after the other. */
  async hold<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = (this.#held ?? Promise.resolve()).then(work);
    const letGo = () => void (this.#held === held && (this.#held = undefined));
    const held: Promise<void> = done.then(letGo, letGo);
    this.#held = held;
    return done;
  }

  async #passed(): Promise<void> {
    while (this.#held) await this.#held;
  }

  async #tooLate(signal: AbortSignal): Promise<never> {
    await this.#clock.sleep(LONGEST_WAIT_SECONDS * 1000, signal);
    throw new ServerUnavailable(`the server was not there within ${LONGEST_WAIT_SECONDS} s`);
  }
}
