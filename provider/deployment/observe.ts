import type { CallOptions, Deployment } from "../../sdk";
import { findRecorded } from "../host/find";
import type { Job } from "../host/job";
import type { Props } from "../inputs/props";
import type { Observed } from "./observed";
import { LISTED_REVISIONS } from "./outputs";

/** Reads a deployment and its newest revisions. */
export async function observe({ client, id }: Job, options?: CallOptions): Promise<Observed> {
  const deployment = await client.deployments.get(id, options);
  const revisions = await client.revisions.newest(id, LISTED_REVISIONS, options);
  return { deployment, revisions };
}

/** Reads the deployment that the state names; undefined when it is surely gone. */
export function findDeployment(job: Job, state: Props): Promise<Deployment | undefined> {
  return findRecorded(job, state, {
    noun: "deployment",
    get: () => job.client.deployments.get(job.id),
    tenantOf: (deployment) => deployment.tenant_id,
  });
}
