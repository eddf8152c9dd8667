import type { Deployment, Revision } from "../../../sdk";
import { textOf } from "../../../shared/records";
import { deploymentArguments } from "../declared/argument-table";
import type { Values } from "../declared/declared";
import { toRevisionOutput } from "./service-outputs";

/** Whether a ref is a commit's id in full. */
export function isCommit(ref: unknown): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(String(ref));
}

/** Whether an image is the declared one, with or without the digest that it had when the service pulled it. */
export function isImageOf({ [IMAGE_URI]: declared }: Values, image: string): boolean {
  const names = [image, image.replace(/@.*/, "")];
  return names.some((name) => deploymentArguments.same(IMAGE_URI, name, declared));
}

const IMAGE_URI = "sourceRevisionConfig.imageUri";
const REPO_REF = "sourceRevisionConfig.repoRef";

/** Whether it follows a branch: its commit is another one after a push (contract, "SourceRevisionConfig"). */
export function isBranch({ "sourceRevisionConfig.repoRef": ref }: Values): boolean {
  return typeof ref === "string" && !ref.startsWith("refs/tags/");
}

/** Whether a newer revision than a failed one has an older one's commit back. */
export function bringsBack(
  newest: Revision,
  revisions: readonly Revision[],
  failedId: string | null,
): boolean {
  const at = revisions.findIndex(({ id }) => id === failedId);
  const [failed, ...older] = at < 0 ? [] : revisions.slice(at);
  const commitOf = (one: Revision | undefined) => one && toRevisionOutput(one).repoCommitSha;
  const commit = commitOf(newest);
  return (
    commit !== null && commit !== commitOf(failed) && older.some((one) => commitOf(one) === commit)
  );
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
  const { image_uri: shown } = current;
  // Its digest sent back, it would no longer follow the tag.
  const image = shown && !isImageOf(values, shown) ? shown : textOf(values[IMAGE_URI]);
  if (values.source !== "git_host") return image ? { image_uri: image } : {};
  // The service may show the commit instead of the ref; sent back, it would no longer follow the branch.
  const ref = isCommit(current.repo_ref) ? undefined : current.repo_ref;
  const isOther = ref && !deploymentArguments.same(REPO_REF, ref, values[REPO_REF]);
  const repoRef = isOther ? ref : textOf(values[REPO_REF]);
  return repoRef ? { repo_ref: repoRef } : {};
}
