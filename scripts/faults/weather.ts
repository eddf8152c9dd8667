import type { Answer, Fault, Passing, Weather } from "./proxy";
import type { Random } from "./random";

/** What the faults of one command are. */
export interface Forecast {
  /** How likely a fault is at each request; 0 for none. */
  readonly share: number;
  readonly kill?: Kill;
}

/** When and how the provider process is lost. */
export interface Kill {
  /** Which of the requests, or of the writes among them, from 0. */
  readonly at: number;
  readonly among: "requests" | "writes";
  readonly moment: "before" | "after";
  /** `engine`: the process lives on and does its work to the end, as after `kill -9` of the command line. */
  readonly who: "process" | "engine";
}

/** A write is seen by every replica after this time. */
const REPLICA_LAG_MS = 5_000;

const FAULTS: readonly [Fault, ...Fault[]] = [
  "lost before",
  "lost after",
  "lost after",
  "reset",
  "429",
  "500",
  "502 before",
  "502 after",
  "503",
  "stale",
  "stale",
  "cut off",
  "half a body",
];

/** The weather of one schedule; every request that meets a fault stands in its history. */
export class ScheduledWeather implements Weather {
  readonly #random: Random;
  readonly #now: () => number;
  readonly #onKill: (who: Kill["who"]) => void;
  readonly #note: (line: string) => void;
  readonly #answers = new Map<string, { atMs: number; answer: Answer }[]>();
  #lastWriteMs = Number.NEGATIVE_INFINITY;
  #forecast: Forecast = { share: 0 };
  readonly #counts = { requests: 0, writes: 0 };

  constructor(parts: {
    random: Random;
    now: () => number;
    onKill: (who: Kill["who"]) => void;
    note: (line: string) => void;
  }) {
    this.#random = parts.random;
    this.#now = parts.now;
    this.#onKill = parts.onKill;
    this.#note = parts.note;
  }

  set forecast(forecast: Forecast) {
    this.#forecast = forecast;
    Object.assign(this.#counts, { requests: 0, writes: 0 });
  }

  at({ method, path }: Passing, moment: "before" | "after"): Fault | "kill" | undefined {
    const { share, kill } = this.#forecast;
    const request = `${method} ${path}`;
    const isWrite = method !== "GET";
    if (moment === "before") this.#counts.requests += 1;
    if (moment === "before" && isWrite) this.#counts.writes += 1;
    const counts = kill?.among === "requests" || isWrite;
    if (kill && counts && kill.moment === moment && this.#counts[kill.among] - 1 === kill.at) {
      this.#note(`    ${kill.who} killed ${moment} ${request}`);
      this.#onKill(kill.who);
      if (kill.who === "process") return "kill";
    }
    // Faults of both moments are drawn before, so that each request draws once.
    if (moment === "after" || !this.#random.chance(share)) return undefined;
    const fault = this.#random.pick(FAULTS);
    this.#note(`    ${fault}: ${request}`);
    return fault;
  }

  remember({ method, path }: Passing, answer: Answer): void {
    if (method !== "GET") this.#lastWriteMs = this.#now();
    else if (answer.status === 200) {
      const known = this.#answers.get(path) ?? [];
      this.#answers.set(path, [...known.slice(-9), { atMs: this.#now(), answer }]);
    }
  }

  staleAnswer({ method, path }: Passing): Answer | undefined {
    if (method !== "GET" || this.#now() - this.#lastWriteMs > REPLICA_LAG_MS) return undefined;
    const older = this.#answers.get(path)?.filter(({ atMs }) => atMs < this.#lastWriteMs);
    return older?.at(-1)?.answer;
  }
}
