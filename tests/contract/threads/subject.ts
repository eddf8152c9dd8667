import { randomUUID } from "node:crypto";
import { AgentServer, type Message } from "pulumi-agentserver/sdk";
import { type Answer, sendJson } from "../../support/http";

/** The agent servers that there are. */
export const KINDS = ["built-in", "javascript", "python"] as const;
export type Kind = (typeof KINDS)[number];

/** An agent server under test, which keeps the threads of all tests. */
export interface Subject {
  readonly kind: Kind;
  readonly url: string;
  readonly client: AgentServer;
  readonly threads: AgentServer["threads"];
  /** A request without the client, for what that hides. */
  send(method: string, path: string, body?: unknown): Promise<Answer>;
}

/** Makes a subject of a server whose address is known once it runs. */
export function subjectAt(kind: Kind, url: () => string): Subject {
  return {
    kind,
    get url() {
      return url();
    },
    get client() {
      return new AgentServer({ url: url() });
    },
    get threads() {
      return this.client.threads;
    },
    send: (method, path, body) =>
      sendJson(url() + path, method, body, { "Content-Type": "application/json" }),
  };
}

/** The graph that every server has. */
export const GRAPH = { graph_id: "agent" };

/** The id of a thread that no server has. */
export const NOBODY = "11111111-1111-4111-8111-111111111111";

/** Metadata by which a test finds its own threads, and no others. */
export function aMark(): { mark: string } {
  return { mark: randomUUID() };
}

/** A message of the user's. */
export function human(content: string) {
  return { type: "human", content };
}

/** A message of the agent's. */
export function ai(content: string) {
  return { type: "ai", content };
}

/** A superstep in which a node wrote messages. */
export function said(as_node: string, ...messages: Message[]) {
  return { updates: [{ as_node, values: { messages } }] };
}

/** The messages of a person and an agent, as the contract describes them. */
export const CONVERSATION = [
  { updates: [{ as_node: "__input__", values: {} }] },
  said("__start__", human("hello")),
  said("agent", ai("hi")),
];

/** Makes a thread with that conversation. */
export function aConversation({ threads }: Subject, metadata: Record<string, unknown> = {}) {
  return threads.create({ metadata: { ...GRAPH, ...metadata }, supersteps: CONVERSATION });
}
