import type { Outcomes } from "../admin/outcomes";
import { logOf, type Stage } from "../../sdk/status";
import type { Driver, StopReason, Revision } from "../drivers/driver";
import type { Logs } from "../logs/logs";
import type { RevisionEvent } from "./machine";
import type { StoredRevision } from "../store";
import { messageOf } from "../../shared/errors";

/** Which stage of which revision is run. */
export interface StageRun {
  readonly revision: StoredRevision;
  readonly stage: Stage;
  /** Its reason is a `StopReason`. */
  readonly signal: AbortSignal;
  /** Called before the first request reaches a revision that is deployed. */
  readonly activate: () => void;
}

/** What stages run with. */
export interface StageParts {
  readonly driver: Driver;
  readonly logs: Logs;
  readonly outcomes: Outcomes;
}

/**
 * Runs one stage of a revision to its end and tells what came of it: nothing when the platform closes, as the stage is
 * started again at its next start. Why a stage failed is the last line of its log.
 */
export async function runStage(
  { driver, logs, outcomes }: StageParts,
  { revision, stage, signal, activate }: StageRun,
): Promise<RevisionEvent | undefined> {
  const { deployment_id: deploymentId, id: revisionId } = revision;
  const name = { deploymentId, revisionId, type: logOf(stage) };
  try {
    signal.throwIfAborted();
    const forced = await outcomes.take(revision.deployment_id, stage, signal);
    if (forced) {
      logs.write(name, "ERROR", forced.reason, revision.secrets);
      return { type: forced.type };
    }
    const log = (line: string) => logs.write(name, "INFO", line, revision.secrets);
    const found = await driver[stage]({ revision: toDriver(revision), signal, log, activate });
    return { type: "done", ...found };
  } catch (error) {
    if (signal.reason === ("closed" satisfies StopReason)) return undefined;
    if (signal.aborted) {
      logs.write(name, "WARNING", "interrupted", revision.secrets);
      return { type: "interrupted" };
    }
    const reason = messageOf(error);
    logs.write(name, "ERROR", reason, revision.secrets);
    return { type: "failed" };
  }
}

/** A revision as drivers know it. */
export function toDriver(revision: StoredRevision): Revision {
  return {
    id: revision.id,
    deploymentId: revision.deployment_id,
    source: revision.source,
    sourceConfig: revision.source_config,
    sourceRevisionConfig: revision.source_revision_config,
    secrets: revision.secrets,
  };
}
