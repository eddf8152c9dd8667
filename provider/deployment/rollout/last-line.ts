import type { Deployment, LogQuery, Revision } from "../../../sdk";
import { factsOf, logOf } from "../../../sdk/status";
import { pollSignal } from "../../../sdk/wait";
import type { Operation } from "../../resource/operation";
import { redactSecrets } from "../service/redaction";
import type { Target } from "../declared/state";

/** Reads the newest line of what a revision's stage logs, without secrets; empty where there is none. */
export type LastLine = (
  revision: Pick<Revision, "id" | "status">,
  signal: AbortSignal,
) => Promise<string>;

/** A reader for the progress of a roll-out: a slow log holds up no poll for longer than two seconds. */
export function lastLineOf(operation: Operation, target: Target, deployment: Deployment): LastLine {
  return async ({ id, status }, signal) => {
    const { stage } = factsOf(status);
    if (stage === null) return "";
    const query = { type: logOf(stage), limit: 1 };
    const quick = AbortSignal.any([signal, pollSignal(0)]);
    const [newest = ""] = await newestLines(operation, id, query, quick);
    const lines = redactSecrets(newest, operation.settings, target, deployment).split("\n");
    return lines.findLast((line) => line.trim() !== "")?.trim() ?? "";
  };
}

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
