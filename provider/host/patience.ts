import { isTransient } from "../../sdk";
import type { PollResult } from "../../sdk/wait";

type Poll<Value> = (signal: AbortSignal) => Promise<PollResult<Value>>;

/** The same poll, which a transient error does not end: `stageOf` names the stage that it stands for. */
export function patiently<Value>(
  poll: Poll<Value>,
  stageOf: (error: unknown) => string,
): Poll<Value> {
  return async (signal) => {
    try {
      return await poll(signal);
    } catch (error) {
      if (isTransient(error)) return { pending: stageOf(error) };
      throw error;
    }
  };
}
