import { isRecord, recordOf } from "../../shared/records";
import type { Fault } from "./history";
import type { Answer, Passing } from "./proxy";
import { isWrite } from "./requests";

/** A write is seen by every replica after this time: a POST without a response is searched for longer. */
const REPLICA_LAG_MS = 3_000;

/** Old answers that replicas of the servers may still give for a while after a write, by any client. */
export class Replicas {
  readonly now: () => number;
  readonly #answers = new Map<string, { atMs: number; answer: Answer }[]>();
  /** The time of each create, by id. */
  readonly #created = new Map<string, number>();
  #lastWriteMs = Number.NEGATIVE_INFINITY;

  constructor(now: () => number) {
    this.now = now;
  }

  remember(passing: Passing, answer: Answer): void {
    if (passing.method !== "GET") this.#lastWriteMs = this.now();
    else if (answer.status === 200) {
      const known = this.#answersTo(passing) ?? [];
      this.#answers.set(keyOf(passing), [...known.slice(-9), { atMs: this.now(), answer }]);
    }
  }

  created(id: string): void {
    this.#created.set(id, this.now());
  }

  staleAnswer(passing: Passing): Answer | undefined {
    const isRecent = this.now() - this.#lastWriteMs <= REPLICA_LAG_MS;
    if (passing.method !== "GET" || !isRecent) return undefined;
    const older = this.#answersTo(passing)?.filter(({ atMs }) => atMs < this.#lastWriteMs);
    return older?.at(-1)?.answer;
  }

  formerAnswer(passing: Passing): Answer | undefined {
    return passing.method === "PATCH" ? this.#answersTo(passing)?.at(-1)?.answer : undefined;
  }

  /** A list without what was just created. */
  withoutRecent(answer: Answer): Answer {
    const older = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.filter((item) => !this.#isRecent(item));
      if (!isRecord(value) || !Array.isArray(value["resources"])) return value;
      return { ...value, resources: older(value["resources"]) };
    };
    const seen = older(JSON.parse(answer.body.toString()));
    return { ...answer, body: Buffer.from(JSON.stringify(seen)) };
  }

  /** What a replica answers that lacks all that was just created. */
  laggingFault(passing: Passing): Fault | undefined {
    if (isWrite(passing) || this.#recent().length === 0) return undefined;
    return this.mayBeMissing(passing) ? "not found yet" : "old list";
  }

  /** Whether a read of something may still find nothing. */
  mayBeMissing({ method, path }: Passing): boolean {
    return method === "GET" && this.#recent().some((id) => path.includes(id));
  }

  #answersTo(passing: Passing) {
    return this.#answers.get(keyOf(passing));
  }

  /** The ids of what was just created. */
  #recent(): string[] {
    const found = [...this.#created].filter(([, atMs]) => this.#isLagging(atMs));
    return found.map(([id]) => id);
  }

  #isRecent(thing: unknown): boolean {
    return this.#isLagging(Date.parse(String(recordOf(thing)["created_at"])));
  }

  #isLagging(atMs: number): boolean {
    return this.now() - atMs < REPLICA_LAG_MS;
  }
}

/** Workspaces share paths. */
function keyOf({ workspaceId = "", path }: Passing): string {
  return `${workspaceId} ${path}`;
}
