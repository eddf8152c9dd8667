import type { Deployment } from "../../sdk";
import { operationOf, type Operation } from "../host/operation";
import type { Context } from "../host/context";
import type { Props } from "../inputs/props";
import { createOrAdopt } from "./acquire";
import { sendPatch } from "./apply";
import { claim } from "./owners";
import { patchOf } from "./patch";
import { awaitRollout } from "./settle";

/** Makes the deployment, or finds the one that an unfinished create made, and waits for its revision. */
export async function createDeployment(
  inputs: Props,
  context: Context,
): Promise<{ id: string; outs: Props }> {
  const job = operationOf(context);
  const { deployment, seen } = await createOrAdopt(job, inputs);
  const own: Operation = { ...job, id: deployment.id };
  const made = seen
    ? await bringToDeclared(own, inputs, deployment, seen)
    : { deployment, revisionId: deployment.latest_revision_id ?? null };
  claim(job.memory, own.id, job.urn);
  const outs = await awaitRollout(own, inputs, made.deployment, made.revisionId);
  return { id: deployment.id, outs };
}

/** What a deployment that was taken over lacks is sent in one PATCH. */
async function bringToDeclared(job: Operation, inputs: Props, deployment: Deployment, seen: Props) {
  const revisions = await job.client.revisions.newest(job.id, 2);
  const patch = patchOf(seen, inputs, deployment, false);
  return sendPatch(job, inputs, { deployment, revisions }, patch);
}
