import type { AgentServer } from "pulumi-agentserver/sdk";
import { hold } from "./report";

type Say = (text: string) => void;

/** The agent that the demo deploys, and what it does with it. */
export interface Actor {
  /** Its files in this repository. */
  readonly folder: string;
  /** The change for the second revision: a file, a text in it, and its replacement. */
  readonly edit: readonly [file: string, from: string, to: string];
  /** Begins a conversation on the first revision, which runs that commit; returns the thread's id. */
  begin(agent: AgentServer, commit: string, say: Say): Promise<string>;
  /** Goes on with it on the second revision. */
  goOn(agent: AgentServer, threadId: string, commit: string, say: Say): Promise<void>;
}

const message = (type: string, content: string) => ({ messages: [{ type, content }] });
const SUPERSTEPS = [
  { values: {}, as_node: "__input__" },
  { values: message("human", "Where is my order 1042?"), as_node: "__start__" },
  { values: message("ai", "Your order is on its way and arrives tomorrow."), as_node: "agent" },
].map((update) => ({ updates: [update] }));

const VARIABLE = "MODEL_API_KEY";

/** An agent on the built-in server, which runs no graph: the conversation is put in place. */
export const standIn: Actor = {
  folder: "examples/quickstart/agent",
  edit: ["agent.mjs", "tomorrow", "today"],
  async begin(agent, commit, say) {
    const { thread_id: threadId } = await agent.threads.create({
      metadata: { graph_id: "agent" },
      supersteps: SUPERSTEPS,
    });
    await readBack(agent, threadId, 2, say);
    const history = await agent.threads.history(threadId, { limit: 10 });
    const steps = history.map(({ metadata }) => String(metadata["step"])).toReversed();
    say(`History: ${history.length} states, steps ${steps.join(", ")}`);
    hold(history.length === SUPERSTEPS.length, "each superstep is a state of the history");
    const { variables = [], commit: served } = await agent.info();
    say(`Variables that reached the server: ${variables.join(", ")}`);
    hold(variables.includes(VARIABLE), `${VARIABLE} has reached the server`);
    hold(served === commit, "the server runs the commit of v1");
    return threadId;
  },
  async goOn(agent, threadId, commit, say) {
    hold((await agent.info()).commit === commit, "the new revision serves the commit of v2");
    await readBack(agent, threadId, 2, say);
  },
};

/** A graph in Python on the real server: the conversation is computed. */
export const real: Actor = {
  folder: "tests/fixtures/agents/python",
  edit: ["agent.py", "is on its way", "arrives today"],
  async begin(agent, _commit, say) {
    const { thread_id: threadId } = await agent.threads.create({
      metadata: { graph_id: "agent" },
    });
    await ask(agent, threadId, "Where is my order 1042?");
    const [, answer] = await readBack(agent, threadId, 2, say);
    hold(answer?.includes("1042 is on its way") === true, "the graph has computed the answer");
    return threadId;
  },
  async goOn(agent, threadId, _commit, say) {
    await ask(agent, threadId, "And now?");
    const said = await readBack(agent, threadId, 4, say);
    hold(said.at(1)?.includes("is on its way") === true, "what was said before is still there");
    hold(said.at(-1)?.includes("1042 arrives today") === true, "the new graph goes on with it");
  },
};

async function ask(agent: AgentServer, threadId: string, content: string): Promise<void> {
  const input = { messages: [{ type: "human", content }] };
  await agent.runs.wait(threadId, { assistant_id: "agent", input });
}

/** Reads the conversation from the server, shows it, and returns what was said. */
async function readBack(agent: AgentServer, threadId: string, expected: number, say: Say) {
  const { messages = [] } = (await agent.threads.state(threadId)).values;
  say(`Thread ${threadId}`);
  for (const { type, content } of messages) say(`  ${type.padEnd(6)} ${String(content)}`);
  hold(messages.length === expected, `the thread holds ${expected} messages`);
  return messages.map(({ content }) => String(content));
}
