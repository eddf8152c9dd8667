import { headerValueProblem } from "../sdk/header-value";

const VARIABLE = "AGENTSERVER_AGENT_API_KEY";

/** How a key is written for authentication that people write for their graphs, which mostly reads that header. */
export const AS_BEARER = "`Bearer <token>` if the server reads the header Authorization";

/** The advice where an agent server refuses a request that no program gives a key to. */
export const SET_AGENT_KEY = `set ${VARIABLE} to the agent server's own key, ${AS_BEARER}`;

/**
 * The agent server's own key from the environment, for what no program declares: an import, a command. The control plane's
 * key is another one. A command with two agent servers has a variable for each, before the one for both. Throws where an
 * HTTP header would not carry it.
 */
export function agentKey(side?: "from" | "to"): string | undefined {
  const sideVariable = side && `AGENTSERVER_${side.toUpperCase()}_API_KEY`;
  const variable =
    sideVariable !== undefined && process.env[sideVariable] ? sideVariable : VARIABLE;
  const key = process.env[variable] || undefined;
  const problem = key && headerValueProblem(key);
  if (problem) throw new Error(`${variable} ${problem}`);
  return key;
}
