import type { Deployment, Revision } from "../../../sdk";
import { textOf } from "../../../shared/records";
import type { Values } from "../declared/declared";
import { toRevisionOutput } from "./service-outputs";

/** Whether a ref is a commit's id in full. */
export function isCommit(ref: unknown): boolean {
  return /^[0-9a-f]{40}$/.test(String(ref));
}

/** Whether it follows a branch: its commit is another one after a push (contract, "SourceRevisionConfig"). */
export function isBranch({ "sourceRevisionConfig.repoRef": ref }: Values): boolean {
  return typeof ref === "string" && !ref.startsWith("refs/tags/");
}

/** The commit of a revision where it is known to be another one than the one to expect. */
export function otherCommit(revision: Revision, expected: string | undefined): string | undefined {
  const { repoCommitSha: commit } = toRevisionOutput(revision);
  return expected === undefined || commit === null || commit === expected ? undefined : commit;
}

/** The source of the newest revision, sent again to create another one of it. */
export function currentSource(
  values: Values,
  { source_revision_config: current }: Deployment,
): { repo_ref?: string; image_uri?: string } {
  const image = current.image_uri ?? textOf(values["sourceRevisionConfig.imageUri"]);
  if (values.source !== "git_host") return image ? { image_uri: image } : {};
  // The service may show the commit instead of the ref; sent back, it would no longer follow the branch.
  const ref = isCommit(current.repo_ref) ? undefined : current.repo_ref;
  const repoRef = ref ?? textOf(values["sourceRevisionConfig.repoRef"]);
  return repoRef ? { repo_ref: repoRef } : {};
}
