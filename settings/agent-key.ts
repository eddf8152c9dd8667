import { headerValueProblem } from "../sdk/header-value";

const VARIABLE = "AGENTSERVER_AGENT_API_KEY";

/** The advice where an agent server refuses a request that no program gives a key to. */
export const SET_AGENT_KEY = `set ${VARIABLE} to the agent server's own key`;

/**
 * The agent server's own key from the environment, for what no program declares: an import, a command. The control plane's
 * key is another one. Throws where an HTTP header would not carry it.
 */
export function agentKey(): string | undefined {
  const key = process.env[VARIABLE] || undefined;
  const problem = key && headerValueProblem(key);
  if (problem) throw new Error(`${VARIABLE} ${problem}`);
  return key;
}
