import {
  AgentServer,
  type Clock,
  ConnectionError,
  NotFound,
  ServerError,
  type Thread,
} from "../../sdk";
import { type PollResult, WaitEnded, waitFor } from "../../sdk/wait";
import { messageOf } from "../../shared/errors";
import { recordOf, textOf } from "../../shared/records";
import { isBeingDeleted } from "../../sdk/status";
import { findDeployment } from "../deployment/service/observe";
import type { Context } from "../kind/context";
import { operationOf } from "../kind/operation";
import { progressOf } from "../kind/progress";
import { known } from "../arguments/decode";
import { membersOf, type Props } from "../arguments/props";
import type { Declared } from "./diff";

/** The agent server that a thread's arguments name. */
export function serverOf(declared: Declared, clock: Clock): AgentServer {
  return new AgentServer({ url: addressOf(declared), apiKey: known(declared.apiKey), clock });
}

export function addressOf({ deploymentUrl }: Declared): string {
  return known(deploymentUrl) ?? "";
}

/** The create of a thread, and where it happens. */
export interface Creation {
  readonly server: AgentServer;
  readonly news: Declared;
  readonly context: Context;
}

const RESPONSE_LIMIT_MS = 60_000;

/** Reads a thread. A server that was just deployed has a minute until it responds. */
export async function findThread(
  { server, news, context }: Creation,
  threadId: string,
): Promise<Thread | undefined> {
  const { clock, signal: cancel, deadline = Infinity } = context;
  const timeoutMs = Math.max(Math.min(RESPONSE_LIMIT_MS, deadline - clock.now()), 0);
  const start = clock.now();
  const last = { problem: "" };
  const poll = async (
    signal: AbortSignal,
  ): Promise<PollResult<{ state: "done"; thread?: Thread }>> => {
    try {
      return { state: "done", thread: await server.threads.get(threadId, { signal }) };
    } catch (error) {
      if (error instanceof NotFound) return { state: "done" };
      throw error;
    }
  };
  const tolerate = (error: unknown): string => {
    last.problem = messageOf(error);
    return "waiting for the agent server";
  };
  try {
    const { thread } = await waitFor({
      poll,
      tolerate,
      onPending: progressOf(context).stage,
      timeoutMs,
      signal: cancel,
      clock,
    });
    return thread;
  } catch (error) {
    if (!(error instanceof WaitEnded)) throw error;
    const ended = error.isCancelled
      ? `cancelled after ${Math.round((clock.now() - start) / 1000)} s`
      : `timed out after ${Math.round(timeoutMs / 1000)} s`;
    throw new Error(
      `${ended}: the agent server at ${addressOf(news)} does not respond: ${last.problem}; ` +
        "check that its deployment is ready, then run `pulumi up` again",
      { cause: error },
    );
  }
}

/** The hidden member of a thread's state that names the deployment of its agent server. */
const DEPLOYMENT = "__deployment";

/**
 * The deployment of the agent server as a hidden output: its id, base URL and workspace. Nothing where none is named, or
 * without usable settings. What the state has already stays.
 */
export function deploymentOf(declared: Declared, context: Context, state: Props = {}): Props {
  const id = known(declared.deploymentId);
  if (id === undefined) return {};
  if (recordOf(state[DEPLOYMENT])["id"] === id) return membersOf(state, [DEPLOYMENT]);
  try {
    const { baseUrl, workspaceId: tenantId } = context.settings();
    return { [DEPLOYMENT]: { id, tenantId, baseUrl } };
  } catch {
    // The thread itself needs no settings.
    return {};
  }
}

/**
 * The fate of the deployment that a state names; undefined where it names none. Throws where that cannot be
 * determined.
 */
export async function deploymentNow(
  { props }: Declared,
  context: Context,
): Promise<"exists" | "leaving" | "gone" | undefined> {
  const recorded = recordOf(props[DEPLOYMENT]);
  const id = textOf(recorded["id"]);
  if (id === undefined) return undefined;
  const deployment = await findDeployment(operationOf(context, id), recorded);
  if (deployment === undefined) return "gone";
  return isBeingDeleted(deployment.status) ? "leaving" : "exists";
}

/**
 * Whether an agent server that does not respond belongs to a deployment that is gone. Any other agent server may have an
 * outage.
 */
export async function isAbandoned(
  error: unknown,
  olds: Declared,
  context: Context,
): Promise<boolean> {
  if (!isSilence(error)) return false;
  return (await deploymentNow(olds, context).catch(() => undefined)) === "gone";
}

/** No response of an agent server: the connection fails, or a gateway in front of it does. */
export function isSilence(error: unknown): error is ConnectionError | ServerError {
  return error instanceof ConnectionError || error instanceof ServerError;
}
