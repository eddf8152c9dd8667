import type { CreateRevision } from "../../sdk/schema";
import { hasEnded } from "../rollout/machine";
import { addRevision } from "../rollout/revisions";
import type { StoredDeployment, StoredRevision, Workspace } from "../store";
import { changeDeployment, findChangeableDeployment, findDeployment, refuse } from "./deployments";
import type { Platform } from "./platform";
import { problem } from "./problems";
import { pushProblems } from "./rules";

/** Names a revision in a path. */
export interface RevisionPath {
  readonly deployment_id: string;
  readonly revision_id: string;
}

/** A revision of a deployment of this workspace; throws 404. */
export function findRevision(
  platform: Platform,
  workspace: Workspace,
  { deployment_id, revision_id }: RevisionPath,
): StoredRevision {
  const { id } = findDeployment(platform, workspace, deployment_id);
  const revision = platform.store.revisions.get(revision_id);
  if (revision?.deployment_id !== id)
    throw problem(404, `revision ${revision_id} of deployment ${id} not found`);
  return revision;
}

/** Creates a revision whatever the body changes; throws as an update of the deployment does. */
export function createRevision(
  platform: Platform,
  workspace: Workspace,
  id: string,
  body: CreateRevision,
): StoredRevision {
  const { latest_revision_id } = changeDeployment(platform, workspace, id, body, true);
  return findRevision(platform, workspace, { deployment_id: id, revision_id: latest_revision_id });
}

/**
 * Creates a revision of the same commit or image as an old one, with the deployment's current settings and environment;
 * throws 400, 404 and 409.
 */
export function redeploy(
  platform: Platform,
  workspace: Workspace,
  path: RevisionPath,
): StoredDeployment {
  const { source_revision_config } = findRevision(platform, workspace, path);
  const { id, source_config, secrets, secret_references } = findChangeableDeployment(
    platform,
    workspace,
    path.deployment_id,
  );
  refuse(pushProblems({ source_config, source_revision_config }));
  const { repo_ref: branch, repo_commit_sha: commit } = source_revision_config;
  const { store } = platform;
  store.transaction(() => {
    // What was pushed to a branch while another was tracked is no push since.
    if (branch && commit && store.seenBranches.get(id)?.branch !== branch)
      store.seenBranches.set(id, { branch, sha: null });
    addRevision(platform, id, {
      source_config,
      source_revision_config,
      secrets,
      secret_references,
    });
  });
  return findDeployment(platform, workspace, id);
}

/** Interrupts a revision in progress; resolves with the revision when its work has ended. Throws 400, 404 and 409. */
export async function interrupt(
  platform: Platform,
  workspace: Workspace,
  path: RevisionPath,
): Promise<StoredRevision> {
  const { id, status } = findRevision(platform, workspace, path);
  findChangeableDeployment(platform, workspace, path.deployment_id);
  if (status !== "INTERRUPTED" && hasEnded(status))
    throw problem(400, `revision ${id} has ended already: ${status}`);
  await platform.scheduler.interrupt(id);
  return findRevision(platform, workspace, path);
}
