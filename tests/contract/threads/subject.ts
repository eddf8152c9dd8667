import { randomUUID } from "node:crypto";
import { AgentServer, type Message } from "pulumi-agentserver/sdk";
import { sendJson } from "../../support/http";

export const KINDS = ["built-in", "javascript", "python"] as const;
export type Kind = (typeof KINDS)[number];

export type Subject = ReturnType<typeof subjectAt>;

/** An agent server under test, which keeps the threads of all tests; its address is known once it runs. */
export const subjectAt = (kind: Kind, url: () => string) => ({
  kind,
  get url() {
    return url();
  },
  get client() {
    return new AgentServer({ url: url() });
  },
  get threads() {
    return new AgentServer({ url: url() }).threads;
  },
  /** A request without the client, for what that hides. */
  send: (method: string, path: string, body?: unknown) =>
    sendJson(url() + path, method, body, { "Content-Type": "application/json" }),
});

export const GRAPH = { graph_id: "agent" };

/** The id of a thread that no server has. */
export const NOBODY = "11111111-1111-4111-8111-111111111111";

/** Metadata by which a test finds its own threads, and no others. */
export const aMark = (): { mark: string } => ({ mark: randomUUID() });

export const human = (content: string) => ({ type: "human", content });

export const ai = (content: string) => ({ type: "ai", content });

export const said = (as_node: string, ...messages: Message[]) => ({
  updates: [{ as_node, values: { messages } }],
});

/** The messages of a person and an agent, as the contract describes them. */
export const CONVERSATION = [
  { updates: [{ as_node: "__input__", values: {} }] },
  said("__start__", human("hello")),
  said("agent", ai("hi")),
];

export const aConversation = ({ threads }: Subject, metadata: Record<string, unknown> = {}) =>
  threads.create({ metadata: { ...GRAPH, ...metadata }, supersteps: CONVERSATION });
