import type { CallOptions, Deployment, Revision } from "../../../sdk";
import { SourceRevisionConfig } from "../../../sdk/schema";
import { dialectOf } from "../../../sdk/dialect";
import { findRecorded, readSettled } from "../../resource/find";
import type { Operation } from "../../resource/operation";
import { present, type Props } from "../../arguments/props";

/** So many of the newest revisions are read, and listed by the outputs. */
export const LISTED_REVISIONS = 10;

/** All that is known of a deployment on the service. */
export interface Observed {
  readonly deployment: Deployment;
  /** The newest ones, newest first. */
  readonly revisions: readonly Revision[];
}

/** The id of the newest revision; null where there is none. */
export function latestOf({ deployment, revisions }: Observed): string | null {
  return deployment.latest_revision_id ?? revisions[0]?.id ?? null;
}

/** Both as one answer: a service that leaves out the source of a deployment shows that of its newest revision. */
export function observedOf(deployment: Deployment, revisions: readonly Revision[]): Observed {
  const [newest] = revisions;
  if (newest === undefined || newest.id !== deployment.latest_revision_id)
    return { deployment, revisions };
  const { source_revision_config: shown } = deployment;
  const source = { ...newest, ...newest.source_revision_config, ...present(shown) };
  const source_revision_config = SourceRevisionConfig.parse(source);
  return { deployment: { ...deployment, source_revision_config }, revisions };
}

/** What has just been read of a deployment. */
interface Read {
  readonly deployment?: Deployment | undefined;
  /** Its first revision: it has no other as long as this is the latest one. */
  readonly first?: Revision | undefined;
}

/** Reads a deployment and its newest revisions, without what has just been read. */
export async function observe(
  operation: Operation,
  options?: CallOptions,
  read: Read = {},
): Promise<Observed> {
  const { client, clock, id } = operation;
  return readSettled(clock, async () => {
    const deployment = read.deployment ?? (await client.deployments.get(id, options));
    const isOnly = read.first?.id === deployment.latest_revision_id;
    const revisions =
      read.first && isOnly
        ? [read.first]
        : await client.revisions.newest(id, LISTED_REVISIONS, options);
    return observedOf(asShown(operation, deployment), revisions);
  });
}

/** The public service clears no environment: where it answers an empty one, it does not show the variables. */
export function asShown(
  { settings }: Pick<Operation, "settings">,
  deployment: Deployment,
): Deployment {
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
      "the command `pulumi-agentserver list --wide` shows the id of each name, and a program finds it with getDeployment({ name })",
    get: () =>
      operation.client.deployments
        .get(operation.id, { resource: operation.urn })
        .then((found) => asShown(operation, found)),
    tenantOf: ({ tenant_id }) => tenant_id,
  });
}

/** Finds a deployment by its whole name. */
export async function byName(
  operation: Pick<Operation, "client" | "settings">,
  name: string,
  options?: CallOptions,
): Promise<Deployment | undefined> {
  const { deployments } = operation.client;
  for await (const deployment of deployments.list({ name_contains: name }, options))
    if (deployment.name === name) return asShown(operation, deployment);
  return undefined;
}
