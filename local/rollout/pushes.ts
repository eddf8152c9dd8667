import { z } from "zod";
import type { StoredDeployment } from "../store";
import { SUPERSEDABLE } from "./machine";
import { addRevision, type RevisionParts } from "./revisions";
import { moveRevision } from "./transitions";

/** A push to a branch: what its repository is called in deployments, the branch and the commit that it names now. */
export const Push = z.object({
  repoUrl: z.string().min(1),
  /** A branch's name, alone or as `refs/heads/…`; a push to a tag builds nothing. */
  ref: z.string().min(1),
  sha: z.string().regex(/^[0-9a-f]{40}$/, "must be a commit's id: 40 hexadecimal digits"),
});
export type Push = z.infer<typeof Push>;

/**
 * Makes a revision of the pushed commit for every deployment that is built on a push to this branch (contract, "States
 * and transitions"). Returns how many deployments that were.
 */
export function handlePush(parts: RevisionParts, { repoUrl, ref, sha }: Push): number {
  const branch = ref.replace(/^refs\/heads\//, "");
  const deployments = parts.store.deployments.builtOnPush(repoUrl, branch);
  for (const deployment of deployments) buildPushedCommit(parts, deployment, sha);
  return deployments.length;
}

/** Makes a revision of the commit that was pushed to a deployment's branch, and skips those of earlier pushes that still wait. */
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
