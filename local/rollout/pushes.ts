import { z } from "zod";
import type { StoredDeployment } from "../store";
import { SUPERSEDABLE } from "./machine";
import { addRevision, type RevisionParts } from "./revisions";
import { moveRevision } from "./transitions";

/** A push to a branch: the repository's URL as deployments have it, the branch and its new commit. */
export const Push = z.object({
  repoUrl: z.string().min(1),
  /** A branch as `name` or `refs/heads/name`; a push to a tag builds nothing. */
  ref: z.string().min(1),
  sha: z.string().regex(/^[0-9a-f]{40}$/, "must be a commit id: 40 hexadecimal digits"),
});
export type Push = z.infer<typeof Push>;

/**
 * Creates a revision of the pushed commit for every deployment with `build_on_push` that tracks this branch (contract,
 * "States and transitions"). Returns their number.
 */
export function handlePush(parts: RevisionParts, { repoUrl, ref, sha }: Push): number {
  const branch = ref.replace(/^refs\/heads\//, "");
  const deployments = parts.store.deployments.builtOnPush(repoUrl, branch);
  for (const deployment of deployments) buildPushedCommit(parts, deployment, sha);
  return deployments.length;
}

/** Creates a revision of a pushed commit, and skips waiting revisions of earlier pushes. */
export function buildPushedCommit(
  parts: RevisionParts,
  deployment: StoredDeployment,
  sha: string,
): void {
  const { store, clock } = parts;
  const { id, source_config, secrets } = deployment;
  const source_revision_config = { ...deployment.source_revision_config, repo_commit_sha: sha };
  store.transaction(() => {
    for (const waiting of store.revisions.withStatus(SUPERSEDABLE, id))
      if (waiting.pushed) moveRevision(store, clock, waiting.id, { type: "superseded" });
    addRevision(parts, id, { source_config, source_revision_config, secrets, pushed: true });
  });
}
