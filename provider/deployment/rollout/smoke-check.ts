import { randomUUID } from "node:crypto";
import {
  type AgentServer,
  Forbidden,
  isTransient,
  NotFound,
  RequestError,
  Unauthorized,
} from "../../../sdk";
import { agentServerOf } from "../../../sdk/agent-server";
import { pollSignal, type PollResult, WaitEnded, waitFor } from "../../../sdk/wait";
import { AS_BEARER } from "../../../settings/agent-key";
import type { Operation } from "../../resource/operation";
import type { SmokeCheck } from "../declared/smoke-check";
import { progressOf } from "../../resource/progress";

/** Why the check failed, and what its user does now. */
export interface SmokeCheckFailure {
  readonly problem: string;
  readonly nextStep: string;
}

/** By this metadata people and later checks know the thread, should it stay behind. */
const MARK = { created_by: "pulumi-agentserver smoke check" };

/**
 * Whether the deployed agent server does what it is for: the new revision answers, a thread is created, its state is read,
 * and it is deleted where that is offered. Answers of the former revisions count for nothing. Returns why not, or nothing.
 * The control plane's key is never sent there.
 */
export async function smokeCheckFailure(
  operation: Operation,
  { apiKey, graphId, timeoutSeconds }: SmokeCheck,
  url: string | null | undefined,
  former: readonly string[] = [],
): Promise<SmokeCheckFailure | undefined> {
  if (!url) return { problem: "the control plane names no URL of the deployment", nextStep: AGAIN };
  const { clock, signal: cancel, deadline = Infinity } = operation;
  const timeoutMs = Math.max(Math.min(timeoutSeconds * 1000, deadline - clock.now()), 0);
  const progress = progressOf(operation);
  const server = usable(() => serverAt(operation, url, apiKey));
  if ("problem" in server) return server;
  const { threads } = server;
  const metadata = { ...MARK, ...(graphId !== undefined && { graph_id: graphId }) };
  // With an id of our own a thread is found again whose answer was lost.
  const seen = { problem: "no answer", threadId: randomUUID() as string };
  const poll = async (
    signal: AbortSignal,
  ): Promise<PollResult<{ state: "done" } | ({ state: "failed" } & SmokeCheckFailure)>> => {
    try {
      const answering = former.length > 0 ? await revisionsOf(server, signal) : [];
      const old = answering.find((id) => former.includes(id));
      if (old !== undefined) {
        seen.problem = `revision ${old} still answers`;
        return { state: "pending", stage: "smoke check" };
      }
      const wanted = { thread_id: seen.threadId, if_exists: "do_nothing", metadata } as const;
      const { thread_id: threadId } = await threads.create(wanted, { signal });
      seen.threadId = threadId;
      await threads.state(threadId, undefined, { signal });
      return { state: "done" };
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      seen.problem = error.message;
      // A server that has just been put in place may still be refused by the way that leads to it.
      return isTransient(error) || error instanceof NotFound
        ? { state: "pending", stage: "smoke check" }
        : { state: "failed", problem: error.message, nextStep: stepAfter(error, apiKey) };
    }
  };
  const onPending = (): void => progress.stage(`smoke check: ${seen.problem}`);
  try {
    const result = await waitFor({ poll, onPending, timeoutMs, signal: cancel, clock });
    return result.state === "failed" ? result : undefined;
  } catch (error) {
    if (!(error instanceof WaitEnded)) throw error;
    if (error.isCancelled) return { problem: error.message, nextStep: AGAIN };
    const problem = `${seen.problem}, for ${Math.round(timeoutMs / 100) / 10} s`;
    const isOption = clock.now() >= deadline;
    const limit = isOption ? "the option `customTimeouts`" : "`smokeCheck.timeoutSeconds`";
    return { problem, nextStep: `${AGAIN}; ${limit} gives it more time` };
  } finally {
    // Not every server offers it, and the check has its answer already.
    await threads.delete(seen.threadId, { signal: pollSignal(0) }).catch(() => undefined);
  }
}

/** The agent server of a deployment, with its own key. Throws a `RequestError` where its URL cannot be used. */
export function serverAt(
  { clock, settings }: Operation,
  url: string,
  apiKey?: string,
): AgentServer {
  const { requestTimeoutSeconds } = settings;
  return agentServerOf({ url, apiKey, clock, requestTimeoutSeconds });
}

/** The control plane names the URL that it was given, whatever it is. */
function usable(connect: () => AgentServer): AgentServer | SmokeCheckFailure {
  try {
    return connect();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const fix = "set `sourceConfig.customUrl` where it is wrong, or leave out `smokeCheck`";
    return { problem: error.message, nextStep: `${fix}, then run \`pulumi up\`: ${SAME}` };
  }
}

/** The ids by which a server names its own revision (`host` of `GET /info`); none where it does not. */
async function revisionsOf(server: AgentServer, signal: AbortSignal): Promise<string[]> {
  const info = await server.info({ signal }).catch((error: unknown) => {
    if (error instanceof RequestError && !isTransient(error)) return { host: undefined };
    throw error;
  });
  const { host_revision_id: host, revision_id: ofServer } = info.host ?? {};
  return [host, ofServer].filter((id) => typeof id === "string");
}

const SAME = "it checks the same revision and creates none";
const AGAIN = `run \`pulumi up\` again: ${SAME}`;

/** More time helps no request that was refused. */
function stepAfter(error: RequestError, apiKey: string | undefined): string {
  if (!(error instanceof Unauthorized || error instanceof Forbidden)) return AGAIN;
  const fix =
    apiKey === undefined
      ? `set \`smokeCheck.apiKey\` to the agent server's own key, ${AS_BEARER}`
      : `check \`smokeCheck.apiKey\`, which is the agent server's own key and not the control plane's, ${AS_BEARER}`;
  return `${fix}, then run \`pulumi up\`: ${SAME}`;
}
