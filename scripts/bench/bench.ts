import { setMaxListeners } from "node:events";
import type { Table } from "./figure";

/** What a bench runs with. */
export interface Stage {
  /** Ends it at once. */
  readonly signal: AbortSignal;
  /** Tells who waits what is going on. */
  readonly say: (text: string) => void;
}

/** One bench. */
export interface Bench {
  /** What it measures, in one line. */
  readonly about: string;
  /** It is given up after this time. */
  readonly limitSeconds: number;
  /** Measures; leaves nothing running or lying about, however it ends. */
  run(stage: Stage): Promise<Table[]>;
}

/** What one bench came to. */
export interface Result {
  readonly name: string;
  readonly seconds: number;
  readonly tables: readonly Table[];
}

/** Runs a bench to its end; throws when it takes longer than its limit, and the signal's reason when that is aborted. */
export async function runBench(
  name: string,
  bench: Bench,
  { signal, say }: Stage,
): Promise<Result> {
  const startMs = performance.now();
  const limit = new AbortController();
  const { limitSeconds } = bench;
  const tooLong = new Error(`bench ${name}: given up after ${limitSeconds} s`);
  const timer = setTimeout(() => limit.abort(tooLong), limitSeconds * 1000);
  const ending = AbortSignal.any([signal, limit.signal]);
  // Every request under way listens to it.
  setMaxListeners(0, ending);
  try {
    const tables = await bench.run({ signal: ending, say });
    return { name, seconds: (performance.now() - startMs) / 1000, tables };
  } catch (error) {
    // What an abort breaks off fails in words of its own.
    ending.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
