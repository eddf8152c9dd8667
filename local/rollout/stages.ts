import type { Outcomes } from "./outcomes";
import { logOf, type Stage } from "../../sdk/status";
import type { Driver, StopReason, Revision, Work } from "../drivers/driver";
import type { LogLevel, Logs } from "../logs/logs";
import { mask } from "../logs/masking";
import { reportFailure } from "../platform/stderr";
import type { RevisionEvent } from "./machine";
import type { StoredRevision } from "../store";
import { messageOf } from "../../shared/errors";
import { indented } from "../../shared/printable";

/** A stage of a revision. */
export interface StageRun {
  readonly revision: StoredRevision;
  readonly stage: Stage;
  /** Its reason is a `StopReason`. */
  readonly signal: AbortSignal;
  /** Called before the first request reaches a revision that is deployed. */
  readonly activate: () => void;
}

/** Dependencies of a stage. */
export interface StageParts {
  readonly driver: Driver;
  readonly logs: Logs;
  readonly outcomes: Outcomes;
}

/** A reason that quotes some of the last lines of its log does not repeat them there. */
const RECENT_LINES = 1000;

/** The end of a stage, and the reason if it did not succeed. */
interface StageResult {
  readonly event: RevisionEvent;
  readonly reason?: { readonly level: LogLevel; readonly text: string };
}

/**
 * Runs one stage of a revision and returns its result: undefined if the platform closes, which starts the stage again at
 * its next start. The log is stored before the stage counts as ended; its last line is the reason of a failure.
 */
export async function runStage(
  parts: StageParts,
  run: StageRun,
): Promise<RevisionEvent | undefined> {
  const { id: revisionId, secrets } = run.revision;
  const name = { revisionId, type: logOf(run.stage) };
  const write = (level: LogLevel, text: string) => parts.logs.write(name, level, text, secrets);
  const recent: string[] = [];
  // A driver's line may quote the names of others.
  const result = await resultOf(parts, run, (text, level = "INFO") => {
    recent.push(...text.split("\n"));
    recent.splice(0, recent.length - RECENT_LINES);
    write(level, indented(text));
  });
  if (!result) return undefined;
  const { event, reason } = result;
  const isNew = (line: string, index: number) => index === 0 || !recent.includes(line);
  if (reason) write(reason.level, reason.text.split("\n").filter(isNew).join("\n"));
  const isStored = await parts.logs.flush(name);
  if (!isStored && reason?.level === "ERROR")
    reportFailure(`revision ${revisionId}`, mask(reason.text, secrets));
  return event;
}

async function resultOf(
  { driver, outcomes }: StageParts,
  { revision, stage, signal, activate }: StageRun,
  log: Work["log"],
): Promise<StageResult | undefined> {
  try {
    signal.throwIfAborted();
    const forced = await outcomes.take(revision.deployment_id, stage, signal);
    if (forced)
      return { event: { type: forced.type }, reason: { level: "ERROR", text: forced.reason } };
    const found = await driver[stage]({ revision: toDriver(revision), signal, log, activate });
    return { event: { type: "done", ...found } };
  } catch (error) {
    if (signal.reason === ("closed" satisfies StopReason)) return undefined;
    if (signal.aborted)
      return {
        event: { type: "interrupted" },
        reason: { level: "WARNING", text: "interrupted" },
      };
    return { event: { type: "failed" }, reason: { level: "ERROR", text: messageOf(error) } };
  }
}

/** A revision as drivers know it. */
export function toDriver(revision: StoredRevision): Revision {
  return {
    id: revision.id,
    deploymentId: revision.deployment_id,
    source: revision.source,
    url: revision.url,
    sourceConfig: revision.source_config,
    sourceRevisionConfig: revision.source_revision_config,
    secrets: revision.secrets,
  };
}
