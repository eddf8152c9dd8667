import { pollDeletion } from "../../../sdk/deletion";
import { WaitEnded, waitFor } from "../../../sdk/wait";
import { progressOf } from "../../resource/progress";
import type { Operation } from "../../resource/operation";

/**
 * Waits until the deployment answers 404: only then is its name free and are its servers gone. Errors start with `task`.
 */
export async function waitUntilGone(
  operation: Operation,
  timeoutMs: number,
  task: string,
  isAccepted = false,
): Promise<void> {
  const { client, clock, id, signal } = operation;
  const progress = progressOf(operation);
  const poll = pollDeletion(client, id, isAccepted);
  const onPending = (stage: string): void => progress.stage(stage);
  try {
    await waitFor({ poll, onPending, timeoutMs, signal, clock, isJustRequested: true });
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
