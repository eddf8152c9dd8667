import type { AgentServer, ThreadState } from "pulumi-agentserver/sdk";
import { hold } from "./report";

const SUPERSTEPS = [
  { updates: [{ values: {}, as_node: "__input__" }] },
  {
    updates: [
      {
        values: { messages: [{ type: "human", content: "Where is my order 1042?" }] },
        as_node: "__start__",
      },
    ],
  },
  {
    updates: [
      {
        values: {
          messages: [{ type: "ai", content: "Your order is on its way and arrives tomorrow." }],
        },
        as_node: "agent",
      },
    ],
  },
];

/** Puts a conversation in place on the agent server, shows it with its history, and returns the thread's id. */
export async function converse(agent: AgentServer, say: (text: string) => void): Promise<string> {
  const { thread_id: threadId } = await agent.threads.create({
    metadata: { graph_id: "agent" },
    supersteps: SUPERSTEPS,
  });
  await readBack(agent, threadId, say);
  const history = await agent.threads.history(threadId, { limit: 10 });
  const steps = history.map(({ metadata }) => String(metadata?.["step"])).toReversed();
  say(`History: ${history.length} states, steps ${steps.join(", ")}`);
  hold(history.length === SUPERSTEPS.length, "each superstep is a state of the history");
  return threadId;
}

/** Reads the conversation from the server and shows it. */
export async function readBack(
  agent: AgentServer,
  threadId: string,
  say: (text: string) => void,
): Promise<void> {
  const messages = messagesOf(await agent.threads.state(threadId));
  say(`Thread ${threadId}`);
  for (const { type, content } of messages) say(`  ${type.padEnd(6)} ${content}`);
  hold(messages.length === 2, "the thread holds the question and the answer");
}

function messagesOf({ values }: ThreadState): { type: string; content: string }[] {
  const messages = values?.["messages"];
  if (!Array.isArray(messages)) return [];
  return messages.map((message: unknown) => {
    const { type, content } = Object(message);
    return { type: String(type), content: String(content) };
  });
}
