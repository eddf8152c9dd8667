import { join } from "node:path";
import { expect } from "chai";
import { firstDifference } from "../../../cli/threads/comparison";
import { copyThreads } from "../../../cli/threads/commands";
import type { RunningAgentServer } from "../../../local/agentserver";
import type { AgentServer, Message, Thread, ThreadState } from "../../../sdk";
import { ai, human, type Kind, KINDS, said, subjectAt } from "../../contract/threads/subject";
import { testTerminal } from "../../cli/terminal";
import { useDeployedAgent } from "../../support/deployed-agent";
import { describeLong } from "../../support/tiers";
import { startBuiltIn } from "../agentserver/support";
import { aFolder, removeFolder } from "../children";

/** Nodes that run at once, keys with reducers, and an interrupt. */
const PYTHON = `
import operator
from typing import Annotated, Any
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import interrupt


class State(MessagesState, total=False):
    log: Annotated[list, operator.add]
    total: Annotated[int, operator.add]
    note: Any


def agent(state):
    last = str(state["messages"][-1].content)
    if last == "Approve.":
        interrupt("Is that all right?")
    return {"messages": [{"type": "ai", "content": "Done."}], "log": ["agent"], "total": 1, "note": {"last": last}}


graph = (
    StateGraph(State)
    .add_node("agent", agent)
    .add_node("left", lambda state: {"log": ["left"], "total": 2})
    .add_node("right", lambda state: {"log": ["right"], "total": 3})
    .add_edge(START, "agent").add_edge("agent", "left").add_edge("agent", "right")
    .add_edge("left", END).add_edge("right", END)
    .compile()
)
`;
const JAVASCRIPT = `
import { Annotation, interrupt, MessagesAnnotation, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  log: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
  total: Annotation({ reducer: (a, b) => a + b, default: () => 0 }),
  note: Annotation(),
});
const agent = ({ messages }) => {
  const last = String(messages.at(-1)?.content);
  if (last === "Approve.") interrupt("Is that all right?");
  return { messages: [{ type: "ai", content: "Done." }], log: ["agent"], total: 1, note: { last } };
};
export const graph = new StateGraph(State)
  .addNode("agent", agent)
  .addNode("left", () => ({ log: ["left"], total: 2 }))
  .addNode("right", () => ({ log: ["right"], total: 3 }))
  .addEdge("__start__", "agent").addEdge("agent", "left").addEdge("agent", "right")
  .addEdge("left", "__end__").addEdge("right", "__end__")
  .compile();
`;

const IMAGE = { type: "image_url", image_url: { url: "data:," } };
const FIND = { name: "find", args: { order: 7 }, id: "c1", type: "tool_call" };
const MADE = { response_metadata: { model: "m" }, additional_kwargs: { k: 1 } };
const USED = { input_tokens: 1, output_tokens: 2, total_tokens: 3 };
const FOUND = { tool_call_id: "c1", name: "find", status: "success", artifact: { raw: [1] } };
/** A message of each kind that both real servers take. */
const EVERY_KIND: Message[] = [
  { type: "system", content: "Be kind.", id: "1" },
  { type: "human", content: [{ type: "text", text: "See." }, IMAGE], id: "2", name: "Ann" },
  { type: "ai", content: "", id: "3", tool_calls: [FIND], usage_metadata: USED, ...MADE },
  { type: "tool", content: "found", id: "4", ...FOUND },
  { type: "ai", content: "x".repeat(5_000_000), id: "5" },
];

type Copied = { readonly thread: Thread; readonly history: readonly ThreadState[] };
const valuesIn = ({ history }: Copied) => history.map(({ values }) => values);
const messagesIn = (copied: Copied) => valuesIn(copied).map(({ messages = [] }) => messages);

/** Where a copy has what its original has; only the Python server sets the assistant itself. */
type Where = (source: Kind, target: Kind) => boolean | undefined;
const anywhere: Where = () => true;
const nowhere: Where = () => false;
const betweenRealOnes: Where = (...kinds) => !kinds.includes("built-in") || undefined;
const notOnPython: Where = (source, target) =>
  source === "built-in" ? undefined : target !== "python";

/** What a copy has: each is a row of the table in docs/changes.md. Undefined where there is nothing to compare. */
const ROWS: readonly (readonly [what: string, of: (copied: Copied) => unknown, isKept: Where])[] = [
  ["the id", ({ thread }) => thread.thread_id, anywhere],
  [
    "the metadata",
    ({ thread }) => [thread.metadata["graph_id"], thread.metadata["customer"]],
    anywhere,
  ],
  ["the assistant of its last run", ({ thread }) => thread.metadata["assistant_id"], notOnPython],
  ["the messages of each state", messagesIn, anywhere],
  ["the other keys of each state", valuesIn, betweenRealOnes],
  ["the nodes that come next", ({ history }) => history.map(({ next }) => next), betweenRealOnes],
  ["the time of its creation", ({ thread }) => thread.created_at, nowhere],
  ["the times of its states", ({ history }) => history[0]?.created_at, nowhere],
  ["the ids of its states", ({ history }) => history[0]?.checkpoint_id, nowhere],
  [
    "what the runs noted in its states",
    ({ history }) => history[0]?.metadata["run_id"],
    (source) => (source === "built-in" ? undefined : false),
  ],
];

describeLong("threads that are moved between the servers", () => {
  const javascript = useDeployedAgent("javascript", { files: { "agent.mjs": JAVASCRIPT } });
  const python = useDeployedAgent("python", { files: { "agent.py": PYTHON } });
  let folder = "";
  const builtIn: RunningAgentServer[] = [];
  before(async () => (folder = await aFolder()));
  after(async () => {
    await Promise.all(builtIn.map((server) => server.close()));
    await removeFolder(folder);
  });

  const real = (kind: Kind) => (kind === "python" ? python : javascript)();
  async function emptyServer(kind: Kind) {
    if (kind !== "built-in") {
      const { threads } = real(kind).client;
      const all = await Array.fromAsync(threads.searchAll({ select: ["thread_id"] }));
      for (const { thread_id: id = "" } of all) await threads.delete(id);
      return subjectAt(kind, () => real(kind).url);
    }
    const server = await startBuiltIn(join(folder, `${builtIn.length}.db`));
    builtIn.push(server);
    return subjectAt(kind, () => server.url);
  }
  type Subject = Awaited<ReturnType<typeof emptyServer>>;

  const metadata = { graph_id: "agent", customer: { id: 42 } };
  const input = (...messages: Message[]) => [
    { updates: [{ as_node: "__input__", values: {} }] },
    { updates: [{ as_node: "__start__", values: { messages } }] },
  ];
  /** A conversation of two questions; a real server's graph answers them. */
  async function converse({ kind, client }: Subject, ...questions: string[]) {
    if (kind === "built-in") {
      const supersteps = questions.flatMap((question) => [
        ...input(human(question)),
        said("agent", ai("Done.")),
        { updates: ["left", "right"].map((as_node) => ({ as_node, values: { log: [as_node] } })) },
      ]);
      return (await client.threads.create({ metadata, supersteps })).thread_id;
    }
    const { thread_id: id } = await client.threads.create({ metadata });
    for (const question of questions)
      await client.runs.wait(id, { assistant_id: "agent", input: { messages: [human(question)] } });
    return id;
  }
  /** Leaves the branch of the states after the first question. */
  async function fork({ threads }: Subject, id: string) {
    const history = await threads.history(id, { limit: 9 });
    const checkpoint_id = history.at(-2)?.checkpoint_id;
    const checkpoint = { checkpoint_id };
    const values = { note: "otherwise" };
    await threads.updateState(id, { values, as_node: "agent", checkpoint_id, checkpoint });
  }
  const read = async ({ threads }: AgentServer, id: string): Promise<Copied> => ({
    thread: await threads.get(id),
    history: await threads.history(id, { limit: 100 }),
  });
  async function copy(from: Subject, to: Subject, unfinished = false): Promise<string[]> {
    const terminal = testTerminal();
    const options = { from: from.url, to: to.url, unfinished, dryRun: false, json: false };
    await copyThreads(options, terminal).catch(() => undefined);
    return terminal.lines();
  }

  for (const source of KINDS)
    for (const target of KINDS.filter((kind) => kind !== source))
      describe(`from the ${source} server to the ${target} one`, () => {
        let from: Subject;
        let to: Subject;
        let original: Copied;
        let copied: Copied;
        before(async () => {
          [from, to] = [await emptyServer(source), await emptyServer(target)];
          const id = await converse(from, "one", "two");
          expect((await copy(from, to)).at(-1)).to.equal("copied 1");
          [original, copied] = [await read(from.client, id), await read(to.client, id)];
        });

        for (const [what, of, where] of ROWS) {
          const isKept = where(source, target);
          if (isKept === undefined) continue;
          it(`${isKept ? "keeps" : "does not keep"} ${what}`, () => {
            const difference = firstDifference(of(original), of(copied), "it");
            if (isKept) expect(difference).to.equal(undefined);
            else expect(difference).not.to.equal(undefined);
          });
        }

        it("keeps the newest state", () => {
          const values = valuesIn(copied)[0] ?? {};
          for (const [key, value] of Object.entries(valuesIn(original)[0] ?? {}))
            expect(firstDifference(value, values[key], key)).to.equal(undefined);
        });

        it("keeps messages of every kind, and states of 5 MB", async () => {
          const answers = Array.from({ length: 7 }, () => said("agent", ai("Done.")));
          const { thread_id: id } = await from.threads.create({
            metadata,
            supersteps: [...input(...EVERY_KIND), ...answers],
          });
          expect((await copy(from, to)).at(-1)).to.equal("present 1, copied 1");
          const [before, after] = [await from.threads.state(id), await to.threads.state(id)];
          expect(firstDifference(before.values.messages, after.values.messages)).to.equal(
            undefined,
          );
        });

        it("leaves out the states of other branches, and says how many", async () => {
          const id = await converse(from, "one");
          await fork(from, id);
          const lines = await copy(from, to);
          expect(lines[0]).to.match(/^copied .*2 states of other branches are left out$/);
          expect((await to.threads.state(id)).values["note"]).to.equal("otherwise");
        });

        if (source !== "built-in")
          it("copies an interrupted thread only if it is asked to, without its interrupt", async () => {
            const id = await converse(from, "Approve.");
            const what = "it is interrupted, and no copy has its unfinished tasks";
            expect((await copy(from, to))[0]).to.equal(`unfinished ${id}: ${what}`);
            expect((await copy(from, to, true))[0]).to.contain(`copied ${id}: ${what}`);
            const [before, after] = [await from.threads.state(id), await to.threads.state(id)];
            expect(firstDifference(before.values, after.values)).to.equal(undefined);
            expect(JSON.stringify(after.tasks)).not.to.contain("Is that all right?");
          });
      });
});
