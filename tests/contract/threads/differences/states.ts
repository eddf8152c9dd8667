import { z } from "zod";
import { aConversation, GRAPH, NOBODY, said, type Subject } from "../subject";
import { recordOf } from "../../../../shared/records";
import { type Difference, outcomeOf, statusesOf } from "./difference";
import { parsed } from "../../../support/values";

async function historyOf(server: Subject) {
  const { thread_id } = await aConversation(server);
  return server.threads.history(thread_id, { limit: 10 });
}

/** Differences in states and histories. */
export const OF_STATES: readonly Difference[] = [
  {
    what: "what the contract names of a state's `metadata`",
    look: async (server) => {
      const [newest] = await historyOf(server);
      const names = ["writes", "graph_id", "checkpoint_id"];
      return names.filter((name) => name in (newest?.metadata ?? {}));
    },
    on: {
      "built-in": ["all", ["writes", "graph_id", "checkpoint_id"]],
      javascript: ["without `writes`, `graph_id`, `checkpoint_id`", []],
      python: ["without `writes`, `graph_id`", ["checkpoint_id"]],
    },
  },
  {
    what: "`checkpoint_id` in a state's `metadata`",
    look: async (server) => {
      const [newest] = await historyOf(server);
      const { metadata, checkpoint_id, parent_checkpoint_id } = newest ?? {};
      const ids = { own: checkpoint_id, parent: parent_checkpoint_id };
      return Object.entries(ids).find(([, id]) => id === metadata?.["checkpoint_id"])?.[0];
    },
    on: {
      "built-in": ["the state's", "own"],
      javascript: ["left out", undefined],
      python: ["that of the state before", "parent"],
    },
  },
  {
    what: "`tasks` of a state with nodes to run",
    look: async (server) => {
      const [, waiting] = await historyOf(server);
      return waiting?.tasks.map((task) => recordOf(task)["name"]);
    },
    on: {
      "built-in": ["none: it runs nothing", []],
      javascript: ["one for each", ["agent"]],
      python: ["one for each", ["agent"]],
    },
  },
  {
    what: "the state at a checkpoint id that is not a UUID",
    look: async ({ threads }) => {
      const { thread_id } = await threads.create();
      return outcomeOf(threads.state(thread_id, "x"));
    },
    on: {
      "built-in": ["an empty state", "done"],
      javascript: ["refused", "Unprocessable"],
      python: ["an empty state", "done"],
    },
  },
  {
    what: "the state at a checkpoint, with `subgraphs`",
    finds: /state\/checkpoint subgraphs/,
    look: (server) =>
      statusesOf(server, [
        "POST",
        "/state/checkpoint",
        { checkpoint: { checkpoint_id: NOBODY, checkpoint_ns: "" }, subgraphs: true },
      ]),
    on: {
      "built-in": ["taken: it has none", [200]],
      javascript: ["refused", [400]],
      python: ["taken", [200]],
    },
  },
  {
    what: "`values` of a state before any message",
    look: async (server) => (await historyOf(server)).at(-1)?.values,
    on: {
      "built-in": ["empty", {}],
      javascript: ["an empty list of `messages`", { messages: [] }],
      python: ["an empty list of `messages`", { messages: [] }],
    },
  },
  {
    what: "`interrupts` of a state",
    finds: /\/(?:state|history|checkpoint|checkpoint_id\}) answers interrupts/,
    look: async (server) => {
      const { thread_id } = await aConversation(server);
      const { body } = await server.send("GET", `/threads/${thread_id}/state`);
      return recordOf(body)["interrupts"];
    },
    on: {
      "built-in": ["never there: it runs nothing", undefined],
      javascript: ["never there", undefined],
      python: ["there", []],
    },
  },
  {
    what: "`next` after a state's write without `as_node`",
    finds: /\/state(?: values.*| checkpoint .*)?$/,
    look: async (server) => {
      const { thread_id } = await aConversation(server);
      await server.threads.updateState(thread_id, { values: {} });
      return (await server.threads.state(thread_id)).next;
    },
    on: {
      "built-in": ["empty: it knows no graph", []],
      javascript: ["the graph's next nodes", ["agent"]],
      python: ["the graph's next nodes", ["agent"]],
    },
  },
  {
    what: "a state's write of a node that the graph does not have",
    finds: /state as_node "nobody"/,
    look: (server) => statusesOf(server, ["POST", "/state", { values: {}, as_node: "nobody" }]),
    on: {
      "built-in": ["taken: it knows no graph", [200]],
      javascript: ["500", [500]],
      python: ["refused", [400]],
    },
  },
  {
    what: "the state at a checkpoint, asked for with `{}`",
    finds: /state\/checkpoint checkpoint \{\}/,
    look: async (server) => {
      const { thread_id } = await server.threads.create();
      return (await server.send("POST", `/threads/${thread_id}/state/checkpoint`, {})).status;
    },
    on: {
      "built-in": ["422", 422],
      javascript: ["the newest", 200],
      python: ["422", 422],
    },
  },
  {
    what: "a history's `limit` that is not 1 to 1000",
    finds: /history limit (?:0|1001)/,
    look: async ({ threads }) => {
      const { thread_id } = await threads.create();
      const outcomes = [0, 1001].map((limit) => outcomeOf(threads.history(thread_id, { limit })));
      return Promise.all(outcomes);
    },
    on: {
      "built-in": ["refused", ["Unprocessable", "Unprocessable"]],
      javascript: ["taken", ["done", "done"]],
      python: ["refused", ["Unprocessable", "Unprocessable"]],
    },
  },
  {
    what: "a history without `limit`, by POST and by GET",
    finds: /GET .*history(?: before .*)?$/,
    look: async (server) => {
      const supersteps = Array.from({ length: 11 }, () => said("agent"));
      const { thread_id } = await server.threads.create({ metadata: GRAPH, supersteps });
      const path = `/threads/${thread_id}/history`;
      const answers = [await server.send("POST", path, {}), await server.send("GET", path)];
      return answers.map(({ body }) => parsed(z.array(z.unknown()), body).length);
    },
    on: {
      "built-in": ["1 and 10", [1, 10]],
      javascript: ["10 and 10", [10, 10]],
      python: ["1 and 1", [1, 1]],
    },
  },
  {
    what: "a history's `before`: text, object",
    finds: /POST .*history before/,
    look: async (server) => {
      const { thread_id } = await aConversation(server);
      const forms = [NOBODY, { configurable: { checkpoint_id: NOBODY } }].map((before) =>
        server.send("POST", `/threads/${thread_id}/history`, { before }),
      );
      return (await Promise.all(forms)).map(({ status }) => status);
    },
    on: {
      "built-in": ["either", [200, 200]],
      javascript: ["text", [200, 400]],
      python: ["object", [422, 200]],
    },
  },
  {
    what: "a state's write to a thread without a `graph_id`",
    look: async ({ threads }) => {
      const { thread_id } = await threads.create();
      return outcomeOf(threads.updateState(thread_id, { values: {}, as_node: "agent" }));
    },
    on: {
      "built-in": ["taken", "done"],
      javascript: ["refused", "Unprocessable"],
      python: ["refused", "Unprocessable"],
    },
  },
  {
    what: "a state's write after a checkpoint that is not there",
    look: async (server) => {
      const { thread_id } = await aConversation(server);
      const write = { values: { messages: [] }, as_node: "agent", checkpoint_id: NOBODY };
      return outcomeOf(server.threads.updateState(thread_id, write));
    },
    on: {
      "built-in": ["404", "NotFound"],
      javascript: ["taken, as the first of a new line", "done"],
      python: ["taken, as the first of a new line", "done"],
    },
  },
];
