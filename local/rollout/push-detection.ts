import type { Remote } from "../drivers/driver";
import { hasEnded } from "./machine";
import { buildPushedCommit } from "./pushes";
import type { RevisionParts } from "./revisions";
import type { StoredDeployment } from "../store";

/** What a look for pushes works with. */
export interface PushDetectionParts extends RevisionParts {
  readonly remote: Remote;
}

/**
 * Asks a repository once for the branches of all deployments that are built on a push to it, and takes what was pushed
 * since the last look. Throws the reason why the repository could not be asked.
 */
export async function detectPushes(
  parts: PushDetectionParts,
  repoUrl: string,
  signal: AbortSignal,
): Promise<void> {
  const { store, remote } = parts;
  const asked = store.deployments.builtOnPush(repoUrl).filter((one) => knowsItsCommit(parts, one));
  if (asked.length === 0) return;
  const commits = await remote.branches(repoUrl, [...new Set(asked.map(branchOf))], signal);
  const latest = new Set(asked.map((one) => one.latest_revision_id));
  // A revision that was made meanwhile may be of a newer commit than the answer tells: the next look sees.
  for (const deployment of store.deployments.builtOnPush(repoUrl))
    if (latest.has(deployment.latest_revision_id))
      takeIn(parts, deployment, commits.get(branchOf(deployment)) ?? null);
}

/** A push is a branch that names another commit than before: not one that is new or gone, nor what is built already. */
function takeIn(parts: PushDetectionParts, deployment: StoredDeployment, sha: string | null): void {
  const { store } = parts;
  const branch = branchOf(deployment);
  const built = deployment.source_revision_config.repo_commit_sha ?? null;
  const last = store.seenBranches.get(deployment.id);
  const before = last?.branch === branch ? last.sha : firstSeen(parts, deployment, sha);
  store.transaction(() => {
    if (sha !== null && before !== null && sha !== before && sha !== built)
      buildPushedCommit(parts, deployment, sha);
    if (last?.branch !== branch || last.sha !== sha)
      store.seenBranches.set(deployment.id, { branch, sha });
  });
}

/** What counts from when on: the commit that was built first, or this look where only later pushes were asked for. */
function firstSeen(
  { store }: PushDetectionParts,
  deployment: StoredDeployment,
  sha: string | null,
) {
  const revision = store.revisions.get(deployment.latest_revision_id);
  if (!revision?.source_config.build_on_push) return sha;
  return revision.source_revision_config.repo_commit_sha ?? null;
}

/** The commit of a new revision is being found out for a moment: until then nothing can be compared. */
function knowsItsCommit({ store }: PushDetectionParts, deployment: StoredDeployment): boolean {
  if (deployment.source_revision_config.repo_commit_sha) return true;
  const revision = store.revisions.get(deployment.latest_revision_id);
  return revision !== undefined && hasEnded(revision.status);
}

function branchOf({ source_revision_config }: StoredDeployment): string {
  return source_revision_config.repo_ref ?? "";
}
