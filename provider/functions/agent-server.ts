import { AgentServer, NotFound } from "../../sdk";
import { agentServerAdvice } from "../host/advice";
import { formatError } from "../host/errors";
import { textOf } from "../../shared/records";
import type { Place } from "./answer";

/** An agent server that is asked. */
export interface AgentServerSite {
  readonly client: AgentServer;
  readonly url: string;
}

/** The agent server that the argument `deploymentUrl` names; its key, if it has one, is `apiKey` beside the arguments. */
export const agentServer: Place<AgentServerSite> = {
  open({ apiKey }, { deploymentUrl }) {
    const url = textOf(deploymentUrl) ?? "";
    return { client: new AgentServer({ url, apiKey: textOf(apiKey) }), url };
  },
  explain(error, { url }) {
    const words = formatError(error, agentServerAdvice);
    return error instanceof NotFound ? `${words}; it was looked for at ${url}` : words;
  },
};
