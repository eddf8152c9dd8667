import { isTransient } from "../../sdk";
import type { PollResult } from "../../sdk/wait";

type Look<Result> = (signal: AbortSignal) => Promise<Result>;

/** The same look, which an error that may well pass does not end: `stageOf` says what it is taken for. */
export function patiently<Result>(
  look: Look<Result>,
  stageOf: (error: unknown) => string,
): Look<Result | PollResult<never>> {
  return async (signal) => {
    try {
      return await look(signal);
    } catch (error) {
      if (isTransient(error)) return { state: "pending", stage: stageOf(error) };
      throw error;
    }
  };
}
