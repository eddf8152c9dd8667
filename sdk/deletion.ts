import type { ControlPlane } from "./control-plane";
import { Forbidden, isGone } from "./errors";
import { isDeleted } from "./status";
import type { PollResult } from "./wait";

/** Sends the DELETE of a deployment. Resolves to whether it was accepted: a 404 says that the deployment is gone. */
export async function requestDeletion({ deployments }: ControlPlane, id: string): Promise<boolean> {
  try {
    await deployments.delete(id);
    return true;
  } catch (error) {
    if (!isGone(error)) throw error;
    return false;
  }
}

/** A poll that is done when a deployment is gone. After an accepted DELETE the service may refuse to show it (403). */
export function pollDeletion({ deployments }: ControlPlane, id: string, isAccepted = false) {
  return async (signal: AbortSignal): Promise<PollResult<{ state: "done" }>> => {
    try {
      const { status } = await deployments.get(id, { signal });
      return isDeleted(status) ? { state: "done" } : { state: "pending", stage: status };
    } catch (error) {
      if (isGone(error) || (isAccepted && error instanceof Forbidden)) return { state: "done" };
      throw error;
    }
  };
}
