import { jobOf } from "../host/job";
import type { Context } from "../host/serve";
import type { Props } from "../inputs/props";
import { createOrAdopt } from "./acquire";
import { awaitRollout } from "./settle";

/** Creates the deployment, or adopts one that is there, and waits for its revision. */
export async function createDeployment(
  inputs: Props,
  context: Context,
): Promise<{ id: string; outs: Props }> {
  const job = jobOf("", context);
  const { deployment, revisionId } = await createOrAdopt(job, inputs);
  const { id } = deployment;
  return { id, outs: await awaitRollout({ ...job, id }, inputs, deployment, revisionId) };
}
