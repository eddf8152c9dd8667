import type { Revision } from "../../../sdk";
import type { Operation } from "../../resource/operation";

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

/** The newest revision where it is another one. */
export async function newerThan(
  operation: Operation,
  revision: Revision,
  signal: AbortSignal,
): Promise<string | undefined> {
  const [newest] = await operation.client.revisions.newest(operation.id, 1, { signal });
  return newest && newest.id !== revision.id ? newest.id : undefined;
}
