import type { Deployment, Revision } from "../../../sdk";
import { factsOf, logOf } from "../../../sdk/status";
import { pollSignal } from "../../../sdk/wait";
import type { Operation } from "../../resource/operation";
import { redactSecrets } from "../redaction";
import { newestLines } from "../service/log-lines";
import type { Target } from "../target";

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
