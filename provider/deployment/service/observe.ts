import type { CallOptions, ControlPlane, Deployment } from "../../../sdk";
import { dialectOf } from "../../../sdk/dialect";
import { findRecorded, readSettled } from "../../kind/find";
import type { Operation } from "../../kind/operation";
import type { Props } from "../../arguments/props";
import { type Observed, observedOf } from "./observed";
import { LISTED_REVISIONS } from "./outputs";

/** Reads a deployment, unless it has just been read, and its newest revisions. */
export async function observe(
  operation: Operation,
  options?: CallOptions,
  read?: Deployment,
): Promise<Observed> {
  const { client, clock, id } = operation;
  return readSettled(clock, async () => {
    const deployment = read ?? (await client.deployments.get(id, options));
    const revisions = await client.revisions.newest(id, LISTED_REVISIONS, options);
    return observedOf(asShown(operation, deployment), revisions);
  });
}

/** The public service clears no environment: where it answers an empty one, it does not show the variables. */
function asShown({ settings }: Operation, deployment: Deployment): Deployment {
  const isShown = dialectOf(settings.dialect).clearsVariables || deployment.secrets?.length !== 0;
  return isShown ? deployment : { ...deployment, secrets: null };
}

/** Reads the deployment that the state names; undefined when it is surely gone. */
export function findDeployment(
  operation: Operation,
  state: Props,
): Promise<Deployment | undefined> {
  return findRecorded(operation, state, {
    noun: "deployment",
    lookUp:
      "the command `pulumi-agentserver list` shows the id of each name, and a program finds it with getDeployment({ name })",
    get: () =>
      operation.client.deployments
        .get(operation.id, { resource: operation.urn })
        .then((found) => asShown(operation, found)),
    tenantOf: ({ tenant_id }) => tenant_id,
  });
}

/** Finds a deployment by its whole name. */
export async function byName(client: ControlPlane, name: string): Promise<Deployment | undefined> {
  for await (const deployment of client.deployments.list({ name_contains: name }))
    if (deployment.name === name) return deployment;
  return undefined;
}
