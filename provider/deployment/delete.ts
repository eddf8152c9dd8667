import { type PollResult, waitFor, WaitTimeout } from "../../sdk/wait";
import { isGone } from "../host/find";
import { type Operation, operationOf } from "../host/operation";
import type { Context } from "../host/context";
import { progressOf } from "../host/progress";
import { textOf } from "../../shared/records";
import type { Props } from "../inputs/props";
import { isBeingDeleted } from "./status";
import { findDeployment } from "./observe";
import { otherOwner, otherWish } from "./owners";
import type { State } from "./state";
import { type Target, timeoutSecondsOf } from "./target";

/**
 * Deletes the deployment and waits until it is gone; one that is gone or on its way out already is fine. One that another
 * resource has taken over, as a resource does that was renamed without an alias, stays. Throws where the other one was
 * refused: the deployment would be in nobody's state.
 */
export async function deleteDeployment(id: string, state: State, context: Context): Promise<void> {
  const owner = otherOwner(context.memory, id, context.urn);
  if (owner !== undefined) {
    context.log.warn(`deployment ${id} stays: ${owner} has it now`);
    return;
  }
  const wish = otherWish(context.memory, id, context.urn);
  if (wish !== undefined)
    throw new Error(
      `delete deployment '${state.name}' (${id}): ${wish.urn} was to have it and was refused (${wish.lack}); settle that first, nothing was deleted`,
    );
  const job: Target = { ...operationOf(context, id), declared: state.declared };
  const deployment = await findDeployment(job, state.outputs);
  if (deployment === undefined) return;
  if (!isBeingDeleted(deployment.status)) await remove(job);
  await waitUntilGone(job, `delete deployment '${deployment.name}' (${id})`);
}

async function remove({ client, id }: Operation): Promise<void> {
  try {
    await client.deployments.delete(id);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/**
 * Waits until the deployment answers 404: its name is free and its servers are gone only then. `task` is what an error
 * says that this is for.
 */
export async function waitUntilGone(job: Target, task: string): Promise<void> {
  const { client, clock, id } = job;
  const timeoutMs = timeoutSecondsOf(job) * 1000;
  const progress = progressOf(job);
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
      clock,
    });
    progress.end("gone");
  } catch (error) {
    if (!(error instanceof WaitTimeout)) throw error;
    throw new Error(
      `${task}: ${error.message}; run the same command again: it waits on and deletes nothing twice`,
      { cause: error },
    );
  }
}
