import { z } from "zod";
import type { Platform } from "../platform/platform";
import { addRevision } from "../control-plane/revisions";
import type { StoredDeployment } from "../store";
import { SUPERSEDABLE } from "./machine";
import { moveRevision } from "./transitions";

/** A push to a branch: what its repository is called in deployments, the branch and the commit that it names now. */
export const Push = z.object({
  repoUrl: z.string().min(1),
  /** A branch's name, alone or as `refs/heads/…`; a push to a tag builds nothing. */
  ref: z.string().min(1),
  sha: z.string().regex(/^[0-9a-f]{40}$/, "must be a commit's id: 40 hexadecimal digits"),
});
export type Push = z.infer<typeof Push>;

/** What takes a push. */
export type PushParts = Pick<Platform, "store" | "clock" | "scheduler">;

/**
 * Makes a revision of the pushed commit for every deployment that is built on a push to this branch (contract, "States
 * and transitions"). Returns how many deployments that were.
 */
export function takePush(parts: PushParts, { repoUrl, ref, sha }: Push): number {
  const branch = ref.replace(/^refs\/heads\//, "");
  const deployments = parts.store.deployments.builtOnPush(repoUrl, branch);
  for (const deployment of deployments) buildPush(parts, deployment, sha);
  return deployments.length;
}

/** Makes a revision of the commit that was pushed to a deployment's branch, and skips those of earlier pushes that still wait. */
export function buildPush(parts: PushParts, deployment: StoredDeployment, sha: string): void {
  const { store, clock } = parts;
  const { id, source_config, secrets } = deployment;
  const source_revision_config = { ...deployment.source_revision_config, repo_commit_sha: sha };
  store.transaction(() => {
    for (const waiting of store.revisions.withStatus(SUPERSEDABLE, id))
      if (waiting.pushed) moveRevision(store, clock, waiting.id, { type: "superseded" });
    addRevision(parts, id, { source_config, source_revision_config, secrets, pushed: true });
  });
}
