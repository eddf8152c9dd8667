import type { Remote } from "../drivers/driver";
import { hasEnded } from "./machine";
import { buildPushedCommit } from "./pushes";
import type { RevisionParts } from "./revisions";
import type { StoredDeployment } from "../store";

/** Dependencies of a poll. */
export interface PushDetectionParts extends RevisionParts {
  readonly remote: Remote;
}

/**
 * Reads the branches that deployments with `build_on_push` track in a repository, and builds what was pushed since the
 * last poll. Throws if the repository cannot be read.
 */
export async function detectPushes(
  parts: PushDetectionParts,
  repoUrl: string,
  signal: AbortSignal,
): Promise<void> {
  const { store, remote } = parts;
  const tracking = store.deployments
    .builtOnPush(repoUrl)
    .filter((deployment) => isResolved(parts, deployment));
  if (tracking.length === 0) return;
  const commits = await remote.branches(repoUrl, [...new Set(tracking.map(branchOf))], signal);
  const latest = new Set(tracking.map(({ latest_revision_id }) => latest_revision_id));
  // A revision that was created meanwhile may have a newer commit than the response: the next poll compares it.
  for (const deployment of store.deployments.builtOnPush(repoUrl))
    if (latest.has(deployment.latest_revision_id))
      handleCommit(parts, deployment, commits.get(branchOf(deployment)) ?? null);
}

/** A push moves a branch to another commit. A new or deleted branch and a commit that is already built are none. */
function handleCommit(
  parts: PushDetectionParts,
  deployment: StoredDeployment,
  sha: string | null,
): void {
  const { store } = parts;
  const branch = branchOf(deployment);
  const built = deployment.source_revision_config.repo_commit_sha ?? null;
  const last = store.seenBranches.get(deployment.id);
  const before = last?.branch === branch ? last.sha : firstCommit(parts, deployment, sha);
  store.transaction(() => {
    if (sha !== null && before !== null && sha !== before && sha !== built)
      buildPushedCommit(parts, deployment, sha);
    if (last?.branch !== branch || last.sha !== sha)
      store.seenBranches.set(deployment.id, { branch, sha });
  });
}

/** The commit that the first poll compares with: the one built, or the branch's own if `build_on_push` was set later. */
function firstCommit(
  { store }: PushDetectionParts,
  deployment: StoredDeployment,
  sha: string | null,
) {
  const revision = store.revisions.get(deployment.latest_revision_id);
  if (!revision?.source_config.build_on_push) return sha;
  return revision.source_revision_config.repo_commit_sha ?? null;
}

/** Whether the latest revision's commit is known; a new revision's is resolved first. */
function isResolved({ store }: PushDetectionParts, deployment: StoredDeployment): boolean {
  if (deployment.source_revision_config.repo_commit_sha) return true;
  const revision = store.revisions.get(deployment.latest_revision_id);
  return revision !== undefined && hasEnded(revision.status);
}

function branchOf({ source_revision_config }: StoredDeployment): string {
  return source_revision_config.repo_ref ?? "";
}
