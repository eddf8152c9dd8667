import type { Platform } from "../platform/platform";
import { notFound, problem } from "./problems";
import type { StoredDeployment, StoredRevision, Workspace } from "../store";

/** A deployment of this workspace; throws 404. */
export function findDeployment(
  { store }: Platform,
  workspace: Workspace,
  id: string,
): StoredDeployment {
  const deployment = store.deployments.get(id);
  if (deployment?.workspace_id !== workspace.id) throw notFound("deployment", id);
  return deployment;
}

/** The same, and it is not being deleted; throws 404 and 409. */
export function findLivingDeployment(
  platform: Platform,
  workspace: Workspace,
  id: string,
): StoredDeployment {
  const deployment = findDeployment(platform, workspace, id);
  if (deployment.status === "AWAITING_DELETE")
    throw problem(409, `deployment ${id} is being deleted`);
  return deployment;
}

/** A revision of a deployment of this workspace; throws 404. */
export function findRevision(
  platform: Platform,
  workspace: Workspace,
  { deployment_id, revision_id }: { deployment_id: string; revision_id: string },
): StoredRevision {
  const { id } = findDeployment(platform, workspace, deployment_id);
  const revision = platform.store.revisions.get(revision_id);
  if (revision?.deployment_id !== id) throw notFound(`revision of deployment ${id}`, revision_id);
  return revision;
}
