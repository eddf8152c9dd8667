import { Forbidden, RequestError, Unauthorized } from "../sdk";
import { agentKey, SET_AGENT_KEY } from "../settings/agent-key";
import { messageOf } from "../shared/errors";
import { CommandFailure } from "./failure";

/** The agent servers' own key from the environment. Throws `CommandFailure` where no header would carry it. */
export function keyOfAgents(): string | undefined {
  try {
    return agentKey();
  } catch (error) {
    throw new CommandFailure(messageOf(error), { cause: error });
  }
}

/** Asks an agent server. Throws `CommandFailure` for a request that fails: it is not about the control plane's settings. */
export async function askAgents<Result>(
  work: () => Promise<Result>,
  setKey = SET_AGENT_KEY,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const isRefused = error instanceof Unauthorized || error instanceof Forbidden;
    throw new CommandFailure(error.message + (isRefused ? `; ${setKey}` : ""), { cause: error });
  }
}
