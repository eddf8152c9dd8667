import { type Deployment, isTransient, NotFound, type Revision } from "../../../sdk";
import { factsOf, isDeployed } from "../../../sdk/status";
import { WaitEnded, waitFor } from "../../../sdk/wait";
import { readSettled } from "../../resource/find";
import type { Operation } from "../../resource/operation";
import type { Progress } from "../../resource/progress";
import type { LastLine } from "./last-line";
import { interruptRevision } from "../service/interrupt";
import { comesAfter, newerThan } from "../service/revision-order";
import { otherCommit } from "../service/revision-source";
import { classify } from "../service/status";
import type { Until } from "../declared/declared";
import type { Rollout } from "../declared/state";

/** The end of a roll-out, with what a message of a failure needs. */
export interface RolloutEnd extends Rollout {
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
export interface Following {
  /** The commit that it must have. @default any */
  readonly commit?: string | undefined;
  readonly until: Exclude<Until, "none">;
  readonly timeoutMs: number;
  /** Whether the response that accepted it shows it active. @default false */
  readonly isServing?: boolean;
  /** Reads what the stage of a revision works on, for the progress. */
  readonly lastLine: LastLine;
  readonly progress: Progress;
}

/** What the polls of a revision have seen. */
interface Seen {
  /** The revision that was asked for. */
  readonly ownId: string;
  /** The revision that is followed: a newer one once the first was superseded. */
  revisionId: string;
  status: string;
  /** The status before that. */
  stage: string;
  words?: string | undefined;
  /** What its stage works on. */
  line: string;
  deployedAtMs?: number;
  serving?: Deployment | undefined;
  revision?: Revision;
  mismatch?: Mismatch | undefined;
}

/** Follows a revision by its id until it is where `until` wants it, has failed, or the time is over. */
export async function followRevision(
  operation: Operation,
  revisionId: string,
  following: Following,
): Promise<RolloutEnd> {
  const { clock, signal } = operation;
  const { timeoutMs, isServing = false, progress } = following;
  const startMs = clock.now();
  const seen: Seen = { ownId: revisionId, revisionId, status: "", stage: "", line: "" };
  const end = await waitFor({
    poll: (limit) => readSettled(clock, () => look(operation, seen, following, limit)),
    onPending: (stage) => progress.stage(stage, seen.line),
    timeoutMs,
    clock,
    signal,
    isJustRequested: !isServing,
  }).catch((error: unknown) => {
    if (!(error instanceof WaitEnded)) throw error;
    const { isCancelled, silence } = error;
    return { state: "pending", isCancelled, silence } as const;
  });
  const { ownId: _ownId, line: _line, deployedAtMs: _deployedAtMs, ...last } = seen;
  return { ...end, ...last, elapsedMs: clock.now() - startMs };
}

/** One poll: notes what it sees, and says how far the roll-out is. */
async function look(
  operation: Operation,
  seen: Seen,
  { commit, until, lastLine, progress }: Following,
  signal: AbortSignal,
): Promise<ReturnType<typeof classify>> {
  const revision = await revisionOf(operation, seen.revisionId, signal);
  if (revision === undefined)
    return { state: "pending", stage: seen.status || "waiting for the revision" };
  const { status } = revision;
  seen.revision = revision;
  if (status !== seen.status) [seen.stage, seen.status] = [seen.status, status];
  seen.words = revision.status_message || undefined;
  seen.mismatch = await mismatchOf(operation, revision, commit, revision.id === seen.ownId);
  if (seen.mismatch !== undefined) return { state: "failed" };
  const nowMs = operation.clock.now();
  if (isDeployed(status)) {
    seen.deployedAtMs ??= nowMs;
    if (until === "active") seen.serving = await servingOf(operation, revision, signal);
  }
  if (factsOf(status).phase === "superseded")
    seen.revisionId = (await newerThan(operation, revision, signal)) ?? seen.revisionId;
  const isActive = seen.serving !== undefined;
  const deployedForMs = nowMs - (seen.deployedAtMs ?? Number.NaN);
  const result = classify({ status, until, isActive, deployedForMs });
  if (result.state === "pending" && progress.isDue(result.stage))
    seen.line = await lastLine(revision, signal);
  return result;
}

/** The mismatch of a revision that serves or will: it is interrupted as soon as its commit is known. */
async function mismatchOf(
  operation: Operation,
  revision: Revision,
  expected: string | undefined,
  isOwn: boolean,
): Promise<Mismatch | undefined> {
  const commit = otherCommit(revision, expected);
  const { phase } = factsOf(revision.status);
  const isRunning = phase === "deployed";
  if (commit === undefined || expected === undefined) return undefined;
  if (!isRunning && phase !== "in progress" && phase !== "unknown") return undefined;
  const problem = isRunning
    ? "it is deployed already"
    : !isOwn
      ? "another client created it"
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
