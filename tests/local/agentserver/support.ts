import {
  type RunningAgentServer,
  startAgentServer,
  type AgentServerOptions,
} from "../../../local/agentserver";
import { Thread, ThreadState } from "../../../sdk/schema/thread";
import { sendJson } from "../../support/http";
import { useFolder } from "../children";

export function startBuiltIn(database: string, options: Partial<AgentServerOptions> = {}) {
  return startAgentServer({ database, graphs: ["agent"], variables: [], commit: null, ...options });
}

/** Starts an agent server on a new file for each test and closes it after. */
export function useAgentServer(options: Partial<AgentServerOptions> = {}) {
  const folder = useFolder();
  let server: RunningAgentServer | undefined;
  beforeEach(async () => (server = await startBuiltIn(folder("threads.db"), options)));
  afterEach(() => server?.close());
  const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    sendJson(`${server?.url}${path}`, method, body, headers);
  return {
    folder,
    port: () => server?.port ?? 0,
    send,
    create: async (body: unknown = {}) => Thread.parse((await send("POST", "/threads", body)).body),
    state: async (threadId: string, checkpointId?: string) => {
      const at = checkpointId === undefined ? "" : `/${checkpointId}`;
      return ThreadState.parse((await send("GET", `/threads/${threadId}/state${at}`)).body);
    },
    history: async (threadId: string, body: unknown = { limit: 1000 }) =>
      ThreadState.array().parse((await send("POST", `/threads/${threadId}/history`, body)).body),
  };
}

export const superstep = (node: string, values: Record<string, unknown>) => ({
  updates: [{ as_node: node, values }],
});

/** The messages of a person and an agent, as the supersteps of the contract's description. */
export const CONVERSATION = [
  superstep("__input__", {}),
  superstep("__start__", { messages: [{ type: "human", content: "hello" }] }),
  superstep("agent", { messages: [{ type: "ai", content: "hi" }], mood: "friendly" }),
];
