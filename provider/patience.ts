import { isPassing } from "../sdk";
import type { Verdict } from "../sdk/wait";

type Look<Value> = (signal: AbortSignal) => Promise<Verdict<Value>>;

/** The same look, which an error that may well pass does not end: `stageOf` says what it is taken for. */
export function patiently<Value>(
  look: Look<Value>,
  stageOf: (error: unknown) => string,
): Look<Value> {
  return async (signal) => {
    try {
      return await look(signal);
    } catch (error) {
      if (isPassing(error)) return { pending: stageOf(error) };
      throw error;
    }
  };
}
