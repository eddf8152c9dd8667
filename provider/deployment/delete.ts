import { type PollResult, waitFor, WaitTimeout } from "../../sdk/wait";
import { isGone } from "../host/find";
import { jobOf, type Job } from "../host/job";
import { patiently } from "../host/patience";
import type { Context } from "../host/serve";
import { progressOf } from "../host/progress";
import { textOf } from "../../shared/records";
import type { Props } from "../inputs/props";
import { isBeingDeleted } from "./judge";
import { findDeployment } from "./observe";
import { placeOf } from "./ownership";
import { timeoutSecondsOf } from "./settle";

/**
 * Deletes the deployment and waits until it is gone; one that is gone or being deleted already is fine. A deployment that
 * another resource has adopted stays. Throws where another resource was to adopt it and could not: it would be in
 * no state.
 */
export async function deleteDeployment(id: string, props: Props, context: Context): Promise<void> {
  const { ownership } = context.memory;
  const urn = ownership.currentUrn(id, context.urn);
  const owner = ownership.otherOwner(id, urn);
  if (owner !== undefined)
    return context.log.warn(`keeps deployment ${id}: it belongs to ${owner}`);
  const name = textOf(props["name"]) ?? "";
  const place = placeOf(textOf(props["tenantId"]) ?? "", name);
  const rival = ownership.unfinishedCreate(place, urn);
  if (rival !== undefined && !ownership.isOwner(id, urn))
    throw new Error(
      `delete deployment '${name}' (${id}): ${rival} has the same name, and its create has not succeeded; nothing was deleted; fix that create, then run \`pulumi up\` again`,
    );
  const job = jobOf(id, context);
  const deployment = await findDeployment(job, props);
  if (deployment === undefined) return;
  if (!isBeingDeleted(deployment.status)) await remove(job);
  await waitUntilGone(job, props, `delete deployment '${deployment.name}' (${id})`);
}

async function remove({ client, id }: Job): Promise<void> {
  try {
    await client.deployments.delete(id);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/**
 * Waits until the deployment answers 404: only then is its name free and are its servers gone. Errors start with `task`.
 */
export async function waitUntilGone(job: Job, inputs: Props, task: string): Promise<void> {
  const { client, clock, id } = job;
  const timeoutMs = timeoutSecondsOf(job, inputs) * 1000;
  const progress = progressOf(job);
  const look = async (signal: AbortSignal): Promise<PollResult<true>> => {
    try {
      return { pending: (await client.deployments.get(id, { signal })).status };
    } catch (error) {
      if (isGone(error)) return { done: true };
      throw error;
    }
  };
  try {
    await waitFor({
      poll: patiently(look, () => "waiting for the control plane"),
      onPending: progress.stage,
      timeoutMs,
      clock,
    });
    progress.end("gone");
  } catch (error) {
    if (!(error instanceof WaitTimeout)) throw error;
    throw new Error(
      `${task}: ${error.message}; run the same command again; it continues to wait and deletes nothing twice`,
      { cause: error },
    );
  }
}
