import { max, quantile, sum } from "simple-statistics";
import { messageOf } from "../../../shared/errors";
import type { Run } from "../run";
import type { Row } from "../table";

/** Answers that wait by design: for a roll-out, or for a server that starts. */
const WAITING = ["push to roll-over", "agent server", "live view, to its end"];
const WITHOUT_WAIT = "all without a wait by design";
const LONGEST_MS = 1000;
/** Errors of a kind that are shown. */
const MOST_SHOWN = 20;

/** How long answers took, by kind, and how many were errors. */
export class Answers {
  readonly #run: Run;
  readonly #kinds = new Map<string, { durationsMs: number[]; failed: number; shown: number }>();

  constructor(run: Run) {
    this.#run = run;
  }

  /** Times one answer; undefined if it is an error, which is shown and counted unless it is expected. */
  async time<Result>(kind: string, work: () => Promise<Result>, expected?: RegExp) {
    const seen = this.#kinds.get(kind) ?? { durationsMs: [], failed: 0, shown: 0 };
    this.#kinds.set(kind, seen);
    const startMs = performance.now();
    try {
      return await work();
    } catch (error) {
      this.#run.signal.throwIfAborted();
      if (expected?.test(messageOf(error))) return undefined;
      seen.failed += 1;
      if (seen.failed <= MOST_SHOWN) this.#run.say(`FAILED: ${kind}: ${messageOf(error)}`);
      return undefined;
    } finally {
      seen.durationsMs.push(performance.now() - startMs);
    }
  }

  /** The figures of each kind since the last call: number, median, 99 of 100, longest, in milliseconds. */
  recent(): string {
    const parts = [...this.#kinds].map(([kind, seen]) => {
      const since = seen.durationsMs.slice(seen.shown);
      seen.shown = seen.durationsMs.length;
      if (since.length === 0) return `${kind} –`;
      const figures = [quantile(since, 0.5), quantile(since, 0.99), max(since)];
      return `${kind} ${since.length}: ${figures.map(Math.round).join("/")}`;
    });
    return parts.join(", ");
  }

  rows(): Row[] {
    const kinds = [...this.#kinds];
    const quick = kinds.filter(([kind]) => !WAITING.includes(kind)).map(([, seen]) => seen);
    const durationsMs = quick.flatMap((seen) => seen.durationsMs);
    const failed = sum(quick.map((seen) => seen.failed));
    return [
      ...kinds.map(([kind, seen]) => rowOf(kind, seen)),
      rowOf(WITHOUT_WAIT, { durationsMs, failed }, LONGEST_MS),
    ];
  }
}

function rowOf(
  name: string,
  { durationsMs, failed }: { durationsMs: readonly number[]; failed: number },
  atMost?: number,
): Row {
  const durations = [...durationsMs];
  const figures = [
    { name: "requests", values: [durations.length] },
    { name: "failed", values: [failed], atMost: 0 },
    { name: "median (ms)", values: [quantile(durations, 0.5)] },
    { name: "99 of 100 (ms)", values: [quantile(durations, 0.99)] },
    { name: "longest (ms)", values: [max(durations)], atMost },
  ];
  return { name, figures };
}
