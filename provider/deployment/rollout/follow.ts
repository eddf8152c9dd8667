import { type Deployment, isTransient, NotFound, type Revision } from "../../../sdk";
import { factsOf, isDeployed } from "../../../sdk/status";
import { WaitEnded, waitFor, type WaitState } from "../../../sdk/wait";
import { readSettled } from "../../resource/find";
import type { Operation } from "../../resource/operation";
import type { Progress } from "../../resource/progress";
import type { LastLine } from "./last-line";
import { interruptRevision } from "../service/interrupt";
import { comesAfter, newerThan } from "../service/revision-order";
import { otherCommit } from "../service/revision-source";
import { classify, type Until } from "../service/status";

/** The end of following a revision. */
export interface Outcome {
  readonly state: WaitState;
  /** Whether the wait was cancelled while the revision was going on. */
  readonly isCancelled?: boolean;
  /** The revision that was followed last: a newer one when the first was skipped. */
  readonly revisionId: string;
  /** Its last status. */
  readonly status: string;
  /** The last status before that: the stage it failed in. */
  readonly stage: string;
  readonly elapsedMs: number;
  /** What became of a revision that is of another commit than the one to expect. */
  readonly mismatch?: Mismatch | undefined;
  /** The service's message about that status. */
  readonly words?: string | undefined;
  readonly warning?: string;
  /** What was seen last and what has happened since, where the wait ended without an answer. */
  readonly silence?: string | undefined;
  /** The deployment as the last poll read it, where it serves the revision. */
  readonly serving?: Deployment | undefined;
  /** The revision as the last poll read it. */
  readonly revision?: Revision | undefined;
}

/** A revision of another commit than the one to expect. */
interface Mismatch {
  readonly commit: string;
  readonly expected: string;
  /** Why it could not be interrupted; undefined where it was. */
  readonly problem: string | undefined;
}

/** The way a revision is followed. */
interface Following {
  /** The commit that it must have. @default any */
  readonly commit?: string | undefined;
  readonly until: Exclude<Until, "none">;
  readonly timeoutMs: number;
  /** Reads what the stage of a revision works on, for the progress. */
  readonly lastLine: LastLine;
  readonly progress: Progress;
}

/** Follows a revision by its id until it is where `until` wants it, has failed, or the time is over. */
export async function followRevision(
  operation: Operation,
  revisionId: string,
  { commit: expected, until, timeoutMs, lastLine, progress }: Following,
): Promise<Outcome> {
  const { clock } = operation;
  const start = clock.now();
  const seen = { revisionId, status: "", stage: "", words: "", line: "", deployedAt: Number.NaN };
  let serving: Deployment | undefined;
  let last: Revision | undefined;
  let mismatch: Mismatch | undefined;

  const lastStage = (): string => seen.status || "waiting for the revision";
  const look = async (signal: AbortSignal): Promise<ReturnType<typeof classify>> => {
    const revision = await revisionOf(operation, seen.revisionId, signal);
    if (revision === undefined) return { state: "pending", stage: lastStage() };
    last = revision;
    if (revision.status !== seen.status) [seen.stage, seen.status] = [seen.status, revision.status];
    seen.words = revision.status_message ?? "";
    mismatch = await mismatchOf(operation, revision, expected);
    if (mismatch !== undefined) return { state: "failed" };
    const isRunning = isDeployed(revision.status);
    if (isRunning && Number.isNaN(seen.deployedAt)) seen.deployedAt = clock.now();
    if (isRunning && until === "active") serving = await servingOf(operation, revision, signal);
    const isActive = serving !== undefined;
    const deployedForMs = clock.now() - seen.deployedAt;
    if (factsOf(revision.status).phase === "superseded")
      seen.revisionId = (await newerThan(operation, revision, signal)) ?? seen.revisionId;
    const result = classify({ status: revision.status, until, isActive, deployedForMs });
    if (result.state === "pending" && progress.isDue(result.stage))
      seen.line = await lastLine(revision, signal);
    return result;
  };
  const poll = (signal: AbortSignal) => readSettled(clock, () => look(signal));
  const onPending = (stage: string): void => progress.stage(stage, seen.line);
  const { signal: cancel } = operation;
  const wait = { poll, onPending, timeoutMs, clock, signal: cancel, isJustRequested: true };
  const outcome = await waitFor(wait).catch((error: unknown) => {
    if (!(error instanceof WaitEnded)) throw error;
    const { isCancelled, silence } = error;
    return { state: "pending", isCancelled, silence } as const;
  });
  return {
    ...outcome,
    serving,
    revision: last,
    mismatch,
    revisionId: seen.revisionId,
    status: seen.status,
    stage: seen.stage,
    words: seen.words || undefined,
    elapsedMs: clock.now() - start,
  };
}

/** The mismatch of a revision that serves or will: it is interrupted as soon as its commit is known. */
async function mismatchOf(
  operation: Operation,
  revision: Revision,
  expected: string | undefined,
): Promise<Mismatch | undefined> {
  const commit = otherCommit(revision, expected);
  const { phase } = factsOf(revision.status);
  const isRunning = phase === "deployed";
  if (commit === undefined || expected === undefined) return undefined;
  if (!isRunning && phase !== "in progress" && phase !== "unknown") return undefined;
  const problem = isRunning
    ? "it is deployed already"
    : await interruptRevision(operation, revision.id);
  return { commit, expected, problem };
}

/** Undefined when it can't be seen yet. */
async function revisionOf(
  { client, id }: Operation,
  revisionId: string,
  signal: AbortSignal,
): Promise<Revision | undefined> {
  try {
    return await client.revisions.get(id, revisionId, { signal });
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    // A revision may not be visible yet; a deployment that is gone is another matter.
    await client.deployments.get(id, { signal });
    return undefined;
  }
}

/** The deployment, where it serves a revision or a newer one; undefined else, and where that can't be seen now. */
async function servingOf(
  operation: Operation,
  revision: Revision,
  signal: AbortSignal,
): Promise<Deployment | undefined> {
  try {
    const deployment = await operation.client.deployments.get(operation.id, { signal });
    const { active_revision_id: active } = deployment;
    const isServing =
      active === revision.id ||
      (!!active && (await comesAfter(operation, active, revision.id, signal)));
    return isServing ? deployment : undefined;
  } catch (error) {
    if (isTransient(error)) return undefined;
    throw error;
  }
}
