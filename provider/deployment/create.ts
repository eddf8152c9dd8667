import type { Deployment } from "../../sdk";
import { operationOf } from "../host/operation";
import type { Context } from "../host/context";
import type { Props } from "../inputs/props";
import { createOrAdopt } from "./acquire";
import { sendPatch } from "./send-patch";
import { planOf } from "./plan";
import type { Target } from "./target";
import type { Declared } from "./declared";
import { claim } from "./owners";
import { patchOf } from "./patch";
import { awaitRollout } from "./await-rollout";

/** Makes the deployment, or finds the one that an unfinished create made, and waits for its revision. */
export async function createDeployment(
  declared: Declared,
  context: Context,
): Promise<{ id: string; outs: Props }> {
  const target: Target = { ...operationOf(context), declared };
  const { deployment, seen } = await createOrAdopt(target);
  const own: Target = { ...target, id: deployment.id };
  const change = seen
    ? await bringToDeclared(own, deployment, seen)
    : { deployment, revisionId: deployment.latest_revision_id ?? null };
  claim(own.memory, own.id, own.urn);
  const outs = await awaitRollout(own, change.deployment, change.revisionId);
  return { id: deployment.id, outs };
}

/** What a deployment that was taken over lacks is sent in one PATCH. */
async function bringToDeclared(target: Target, deployment: Deployment, seen: Declared) {
  const revisions = await target.client.revisions.newest(target.id, 2);
  const patch = patchOf(planOf(seen, target.declared), deployment);
  return sendPatch(target, { deployment, revisions }, patch);
}
