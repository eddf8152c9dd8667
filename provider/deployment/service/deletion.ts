import { type PollResult, WaitEnded, waitFor } from "../../../sdk/wait";
import { isGone } from "../../kind/find";
import { progressOf } from "../../kind/progress";
import { type Target, timeoutMsOf } from "../target";

/**
 * Waits until the deployment answers 404: only then is its name free and are its servers gone. Errors start with `task`.
 */
export async function waitUntilGone(target: Target, task: string): Promise<void> {
  const { client, clock, id } = target;
  const timeoutMs = timeoutMsOf(target);
  const progress = progressOf(target);
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
      onPending: progress.stage,
      timeoutMs,
      signal: target.signal,
      clock,
    });
    progress.end("gone");
  } catch (error) {
    if (!(error instanceof WaitEnded)) throw error;
    throw new Error(
      `${task}: ${error.message}; run the same command again; it continues to wait and deletes nothing twice`,
      { cause: error },
    );
  }
}
