import { type PollResult, WaitEnded, waitFor } from "../../../sdk/wait";
import { isGone } from "../../kind/find";
import { progressOf } from "../../kind/progress";
import type { Operation } from "../../kind/operation";

/**
 * Waits until the deployment answers 404: only then is its name free and are its servers gone. Errors start with `task`.
 */
export async function waitUntilGone(
  operation: Operation,
  timeoutMs: number,
  task: string,
): Promise<void> {
  const { client, clock, id } = operation;
  const progress = progressOf(operation);
  const poll = async (signal: AbortSignal): Promise<PollResult<{ state: "done" }>> => {
    try {
      return { state: "pending", stage: (await client.deployments.get(id, { signal })).status };
    } catch (error) {
      if (isGone(error)) return { state: "done" };
      throw error;
    }
  };
  try {
    await waitFor({
      poll,
      tolerate: () => "waiting for the control plane",
      onPending: (stage) => progress.stage(stage),
      timeoutMs,
      signal: operation.signal,
      clock,
    });
  } catch (error) {
    if (!(error instanceof WaitEnded)) throw error;
    throw new Error(
      `${task}: ${error.message}; run the same command again; it continues to wait and deletes nothing twice`,
      { cause: error },
    );
  }
}

/** The longest time of a wait that begins now: as declared, else the setting, and not beyond the operation's deadline. */
export function timeoutMsOf(
  { settings, deadline, clock }: Operation,
  timeoutSeconds: number | undefined,
): number {
  if (deadline === undefined) return (timeoutSeconds ?? settings.waitTimeoutSeconds) * 1000;
  return Math.min((timeoutSeconds ?? Infinity) * 1000, deadline - clock.now());
}
