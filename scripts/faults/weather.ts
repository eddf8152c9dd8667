import type { Answer, Fault, Passing, Weather } from "./proxy";
import type { Random } from "./random";

/** The faults of one command. */
export interface Forecast {
  /** The probability of a fault at each request; 0 for none. */
  readonly share: number;
  readonly kill?: Kill;
  /** Whether a replica answers first, and the response to the first write is lost: what a late create meets. */
  readonly isLate?: boolean;
  /** Whether the state of the stack can't be read. @default it can */
  readonly hidesState?: boolean;
}

/** When and how the provider process is lost. */
export interface Kill {
  /** The number of the request, or of the write among the writes, from 0. */
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

/** Old answers that replicas of the servers may still give for a while after a write, by any client. */
export class Replicas {
  readonly #now: () => number;
  readonly #answers = new Map<string, { atMs: number; answer: Answer }[]>();
  #lastWriteMs = Number.NEGATIVE_INFINITY;

  constructor(now: () => number) {
    this.#now = now;
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

interface WeatherParts {
  readonly random: Random;
  readonly replicas: Replicas;
  readonly onKill: (who: Kill["who"]) => void;
  readonly note: (line: string) => void;
  readonly meet: Weather["meet"];
  /** Called with each request that meets a fault. */
  readonly spoil: (passing: Passing) => void;
  /** Called with each answer, whether it arrives or not. */
  readonly learn: Weather["remember"];
}

/** The weather of one stack's commands; every request that meets a fault stands in the history. */
export class ScheduledWeather implements Weather {
  readonly #parts: WeatherParts;
  #forecast: Forecast = { share: 0 };
  readonly #counts = { requests: 0, writes: 0 };

  constructor(parts: WeatherParts) {
    this.#parts = parts;
  }

  get hidesState(): boolean {
    return this.#forecast.hidesState ?? false;
  }

  meet(passing: Passing): Promise<void> {
    return this.#parts.meet(passing);
  }

  set forecast(forecast: Forecast) {
    this.#forecast = forecast;
    Object.assign(this.#counts, { requests: 0, writes: 0 });
  }

  at(passing: Passing, moment: "before" | "after"): Fault | "kill" | undefined {
    const { method, path } = passing;
    const { share, kill } = this.#forecast;
    const request = `${method} ${path}`;
    const isWrite = method !== "GET";
    if (moment === "before") this.#counts.requests += 1;
    if (moment === "before" && isWrite) this.#counts.writes += 1;
    const counts = kill?.among === "requests" || isWrite;
    if (kill && counts && kill.moment === moment && this.#counts[kill.among] - 1 === kill.at) {
      this.#parts.note(`    ${kill.who} killed ${moment} ${request}`);
      this.#parts.onKill(kill.who);
      if (kill.who === "process") return "kill";
    }
    const late = this.#lateFault(method, moment);
    if (late !== undefined) this.#parts.note(`    ${late}: ${request}`);
    if (late === "lost after") this.#parts.spoil(passing);
    if (late !== undefined) return late;
    // Faults of both moments are drawn before, so that each request draws once.
    const { random, note } = this.#parts;
    if (moment === "after" || !random.chance(share)) return undefined;
    const fault = random.pick(FAULTS);
    note(`    ${fault}: ${request}`);
    this.#parts.spoil(passing);
    return fault;
  }

  #lateFault(method: string, moment: "before" | "after"): Fault | undefined {
    if (this.#forecast.isLate !== true || moment === "after") return undefined;
    if (method === "GET") return this.#counts.requests <= 2 ? "stale" : undefined;
    return this.#counts.writes === 1 ? "lost after" : undefined;
  }

  remember(passing: Passing, answer: Answer): void {
    this.#parts.replicas.remember(passing, answer);
    this.#parts.learn(passing, answer);
  }

  staleAnswer(passing: Passing): Answer | undefined {
    return this.#parts.replicas.staleAnswer(passing);
  }
}
