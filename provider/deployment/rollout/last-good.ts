import type { Revision } from "../../../sdk";
import { textOf } from "../../../shared/records";
import { deploymentArguments, REPO_REF } from "../declared/argument-table";
import type { Declared } from "../declared/declared";
import { describeNames } from "../declared/environment";
import { planOf } from "../declared/plan";
import { isCommit, isImageOf } from "../service/revision-source";
import { toRevisionOutput } from "../service/service-outputs";
import type { LastGoodRevision, Target } from "../declared/state";
import { lastGoodRevision } from "../service/outputs";
import type { RolloutResult } from "../service/rollout-result";

/**
 * What to declare to bring the last good revision back, as one line of a failure; none where no such revision is known, or
 * where the program declares it already. A size or a variable may hold a secret: only its name is shown.
 */
export function wayBack({ declared, lastGood }: Target, result: RolloutResult): string[] {
  const { declared: before } = lastGood;
  const revision = lastGoodRevision(result, lastGood.revision);
  if (revision === null) return [];
  const failed = result.revisions.find(({ id }) => id === result.rollout.revisionId);
  const { tag, source } = sourceToDeclare(declared, { revision, declared: before }, failed);
  const plan = planOf(declared, before ?? declared);
  const values = plan.revision
    .filter((path) => path !== REPO_REF && path !== IMAGE_URI)
    .map((path) => declaration(path, textOf(before?.[path])));
  const members = [...plan.spec.set, ...plan.spec.dropped].map((name) => `resourceSpec.${name}`);
  const { added, changed, removed } = plan.variables;
  const names = [...added, ...changed, ...removed];
  const variables = names.length > 0 ? [describeNames(names)] : [];
  const former = [...members, ...variables].join(", ");
  const shown = [source, ...values].filter((value) => value !== undefined).join(", ");
  const parts = [shown, former && `the former ${former}`].filter((part) => part !== "");
  if (parts.length === 0) return [];
  return [`to go back to revision ${revision.id}, ${tag}declare ${parts.join(" and ")}`];
}

const IMAGE_URI = "sourceRevisionConfig.imageUri";

/** The ref or image to declare where it is another one. A branch has moved on: its commit needs a tag. */
function sourceToDeclare(
  values: Declared,
  { revision, declared }: { revision: LastGoodRevision; declared: Declared | undefined },
  failed: Revision | undefined,
): { tag: string; source: string | undefined } {
  if (values.source !== "git_host") {
    const { imageUri } = revision;
    const isOther = imageUri !== null && !isImageOf(values, imageUri);
    return { tag: "", source: isOther ? declaration(IMAGE_URI, imageUri) : undefined };
  }
  const ref = isCommit(revision.repoRef) ? textOf(declared?.[REPO_REF]) : revision.repoRef;
  const isOtherRef =
    ref !== undefined && ref !== null && !deploymentArguments.same(REPO_REF, ref, values[REPO_REF]);
  if (isOtherRef && ref.startsWith("refs/tags/"))
    return { tag: "", source: declaration(REPO_REF, ref) };
  const commit = revision.repoCommitSha;
  if (
    commit !== null &&
    (failed === undefined || commit !== toRevisionOutput(failed).repoCommitSha)
  )
    return {
      tag: `tag its commit ${commit} and `,
      source: declaration(REPO_REF, "refs/tags/<the tag>"),
    };
  return { tag: "", source: isOtherRef ? declaration(REPO_REF, ref) : undefined };
}

function declaration(path: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  return `${path.slice(path.lastIndexOf(".") + 1)}: ${JSON.stringify(value)}`;
}
