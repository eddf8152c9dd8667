import type { LogQuery } from "../../../sdk";
import type { Operation } from "../../resource/operation";

/** The newest lines of a revision's log, newest first. A control plane may offer no logs: that is not a failure of its own. */
export async function newestLines(
  { client, id }: Operation,
  revisionId: string,
  query: LogQuery,
  signal: AbortSignal,
): Promise<readonly string[]> {
  try {
    const { logs } = await client.revisions.logs(id, revisionId, query, { signal });
    return logs.map(({ message }) => message);
  } catch {
    return [];
  }
}
