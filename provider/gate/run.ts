import { randomUUID } from "node:crypto";
import { type AgentServer, RequestError, TimeoutError } from "../../sdk";
import { pollSignal } from "../../sdk/wait";
import type { Expectation } from "./expectation";
import { type Verdict, verdictOf } from "./verdict";
import { momentIn } from "../../shared/moment";

/** By this metadata people know the thread and the run of a gate, should they stay behind. */
export const MARK = { created_by: "pulumi-agentserver gate" };

/**
 * The member of its metadata, and of that of a temporary assistant, with the id of what the gate is about. No two states have
 * that one, so that none deletes what another is just asking; where both are about to create it, one is refused in any case.
 */
export const OWNER = "pulumi_gate";

/** One run of a gate. */
export interface GateRun {
  readonly owner: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** A UUID, or a graph's name for its default assistant. */
  readonly assistantId: string;
  readonly expect: Expectation;
}

/**
 * Runs the assistant on a thread of its own, and deletes the thread. A failed request is a verdict too. A run that is late
 * is cancelled by its handle: heartbeats keep its response alive.
 */
export async function verdictOfRun(
  { threads, runs }: AgentServer,
  { owner, input, assistantId, expect }: GateRun,
  limits: { readonly timeoutSeconds: number; readonly signal: AbortSignal | undefined },
): Promise<Verdict> {
  // With an id of our own a thread is deleted also where the answer to its create was lost.
  const threadId = randomUUID();
  const { signal, timeoutSeconds } = limits;
  const metadata = { ...MARK, [OWNER]: owner };
  const thread = { thread_id: threadId, if_exists: "do_nothing", metadata } as const;
  const run = { assistant_id: assistantId, input, metadata: MARK };
  try {
    await threads.create(thread, { signal });
    return verdictOf(await runs.wait(threadId, run, limits), expect);
  } catch (error) {
    if (signal?.aborted) return { isPass: false, came: "cancelled" };
    if (!(error instanceof RequestError)) throw error;
    const isLate = error instanceof TimeoutError;
    return { isPass: false, came: isLate ? `no answer within ${timeoutSeconds} s` : error.message };
  } finally {
    // Not every server offers it, and the verdict is there already.
    await threads.delete(threadId, { signal: pollSignal(0) }).catch(() => undefined);
  }
}

/** No gate takes half as long: a thread that is older belongs to one that was killed. */
const LONGEST_MS = 48 * 3_600_000;

/** Deletes the threads that killed gates have left: those of this owner, and old ones of all others. */
export async function deleteLeftThreads(
  { threads }: AgentServer,
  owner: string,
  nowMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const left: string[] = [];
  for await (const { thread_id: id, created_at, metadata } of threads.searchAll(
    { metadata: MARK },
    { signal },
  ))
    if (metadata?.[OWNER] === owner || momentIn(created_at) < nowMs - LONGEST_MS) left.push(id);
  for (const id of left) await threads.delete(id, { signal });
}
