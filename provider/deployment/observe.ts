import type { CallOptions, Deployment } from "../../sdk";
import { findRecorded } from "../host/find";
import type { Operation } from "../host/operation";
import type { Props } from "../inputs/props";
import { LISTED_REVISIONS, type Observed } from "./mapping";

/** Reads a deployment and its newest revisions. */
export async function observe({ client, id }: Operation, options?: CallOptions): Promise<Observed> {
  const deployment = await client.deployments.get(id, options);
  const revisions = await client.revisions.newest(id, LISTED_REVISIONS, options);
  return { deployment, revisions };
}

/** Reads the deployment that the state speaks of; undefined when it is surely gone. */
export function findDeployment(job: Operation, state: Props): Promise<Deployment | undefined> {
  return findRecorded(job, state, {
    noun: "deployment",
    get: () => job.client.deployments.get(job.id),
    tenantOf: (deployment) => deployment.tenant_id,
  });
}
