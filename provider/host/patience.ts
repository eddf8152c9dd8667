import { isTransient } from "../../sdk";
import type { PollResult } from "../../sdk/wait";

type Look<Value> = (signal: AbortSignal) => Promise<PollResult<Value>>;

/** The same look, which an error that may well pass does not end: `stageOf` says what it is taken for. */
export function patiently<Value>(
  look: Look<Value>,
  stageOf: (error: unknown) => string,
): Look<Value> {
  return async (signal) => {
    try {
      return await look(signal);
    } catch (error) {
      if (isTransient(error)) return { pending: stageOf(error) };
      throw error;
    }
  };
}
