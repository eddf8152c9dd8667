import { z } from "zod";
import type { Platform } from "./platform";
import { addRevision } from "./revisions";
import { moveRevision } from "./transitions";

/** A push to a branch: what its repository is called in deployments, the branch and the commit that it names now. */
export const Push = z.object({
  repoUrl: z.string().min(1),
  /** A branch's name, alone or as `refs/heads/…`; a push to a tag builds nothing. */
  ref: z.string().min(1),
  sha: z.string().regex(/^[0-9a-f]{40}$/, "must be a commit's id: 40 hexadecimal digits"),
});
export type Push = z.infer<typeof Push>;

/** The statuses in which a newer push makes a revision needless. */
const WAITING = ["CREATING", "QUEUED"];

/**
 * Makes a revision of the pushed commit for every deployment that is built on a push to this branch (contract, "States
 * and transitions"), and skips those of earlier pushes that still wait. Returns how many deployments that were.
 */
export function takePush(
  parts: Pick<Platform, "store" | "clock" | "scheduler">,
  { repoUrl, ref, sha }: Push,
): number {
  const { store, clock } = parts;
  const deployments = store.deployments.tracking(repoUrl, ref.replace(/^refs\/heads\//, ""));
  for (const { id, source_config, source_revision_config, secrets } of deployments)
    store.transaction(() => {
      for (const waiting of store.revisions.withStatus(WAITING, id))
        if (waiting.pushed) moveRevision(store, clock, waiting.id, { type: "superseded" });
      const pushed = { ...source_revision_config, repo_commit_sha: sha };
      addRevision(parts, id, {
        source_config,
        source_revision_config: pushed,
        secrets,
        pushed: true,
      });
    });
  return deployments.length;
}
