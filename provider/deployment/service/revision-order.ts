import type { Revision } from "../../../sdk";
import { recordOf, textOf } from "../../../shared/records";
import type { Props } from "../../arguments/props";
import type { Operation } from "../../resource/operation";
import { rolloutOf } from "../declared/state";

/** Whether one revision is newer than another. */
export async function comesAfter(
  operation: Operation,
  candidate: string,
  revisionId: string,
  signal?: AbortSignal,
): Promise<boolean> {
  for await (const { id } of operation.client.revisions.list(operation.id, {}, { signal })) {
    if (id === revisionId) return false;
    if (id === candidate) return true;
  }
  return false;
}

/** The newest revision where it is a newer one; none where a replica does not list this one yet. */
export async function newerThan(
  { client, id }: Operation,
  revision: Revision,
  signal: AbortSignal,
): Promise<string | undefined> {
  let newest: string | undefined;
  for await (const listed of client.revisions.list(id, {}, { signal })) {
    newest ??= listed.id;
    if (listed.id === revision.id) return newest === listed.id ? undefined : newest;
  }
  return undefined;
}

/** The warning about a newest revision that this resource did not create, above all one that has failed. */
export function foreignWarning(outputs: Props): string | undefined {
  const { id: failed, status, repoRef } = recordOf(outputs["failedRevision"]);
  const id = textOf(failed);
  if (id === undefined || id === rolloutOf(outputs).revisionId) return foreignRevision(outputs);
  const ref = textOf(repoRef) === undefined ? "" : ` of ${textOf(repoRef)}`;
  const active = textOf(outputs["activeRevisionId"]);
  const serving = active === undefined ? "no revision serves" : `revision ${active} still serves`;
  return `revision ${id}${ref} ended with ${textOf(status)}; a push or another client created it; ${serving}`;
}

/** The warning about a newer revision than that of the state, which no push explains: what else it has stays. */
export function foreignRevision(outputs: Props): string | undefined {
  const { latestRevisionId, revisions, sourceConfig } = outputs;
  const ids = (Array.isArray(revisions) ? revisions : []).map((one) => textOf(recordOf(one)["id"]));
  const latest = textOf(latestRevisionId);
  if (
    latest === undefined ||
    ids.indexOf(latest) < 1 ||
    recordOf(sourceConfig)["buildOnPush"] === true
  )
    return undefined;
  return `revision ${ids[0]} was created elsewhere, or by an update that was interrupted: an update changes what the program has changed, and the variables as a whole; \`pulumi refresh\` shows what else differs. A deployment belongs in one stack only`;
}
