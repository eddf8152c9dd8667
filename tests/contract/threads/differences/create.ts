import { randomUUID } from "node:crypto";
import type { CreateThread } from "pulumi-agentserver/sdk";
import { z } from "zod";
import { contentsOf } from "../../../support/agents";
import {
  aConversation,
  ai,
  aMark,
  CONVERSATION,
  GRAPH,
  human,
  said,
  type Subject,
} from "../subject";
import { type Difference, outcomeOf } from "./difference";
import { parsed, untyped } from "../../../support/values";

/** The result of a create, and the number of states of the thread that is there afterwards. */
async function tryToCreate({ threads }: Subject, body: CreateThread) {
  const thread_id = randomUUID();
  const outcome = await outcomeOf(threads.create({ ...body, thread_id }));
  if ((await outcomeOf(threads.get(thread_id))) === "NotFound") return [outcome, "no thread"];
  // The real servers return no state of a thread whose graph they do not have.
  await threads.update(thread_id, { metadata: GRAPH });
  return [outcome, (await threads.history(thread_id, { limit: 10 })).length];
}

const Messages = z.object({ messages: z.array(z.record(z.string(), z.unknown())) });
const UNREADABLE = { updates: [{ as_node: "agent", values: untyped({ messages: [{}] }) }] };

/** Differences in the creation of threads. */
export const OF_CREATES: readonly Difference[] = [
  {
    what: "supersteps for a thread without a `graph_id`",
    look: (server) => tryToCreate(server, { supersteps: CONVERSATION }),
    on: {
      "built-in": ["taken", ["done", 3]],
      javascript: ["refused; the empty thread stays", ["Unprocessable", 0]],
      python: ["refused, with a 201; the empty thread stays", ["Unprocessable", 0]],
    },
  },
  {
    what: "supersteps for a graph that the server does not have",
    look: (server) =>
      tryToCreate(server, { metadata: { graph_id: "agnet" }, supersteps: CONVERSATION }),
    on: {
      "built-in": ["404; nothing stays", ["NotFound", "no thread"]],
      javascript: ["404; the empty thread stays", ["NotFound", 0]],
      python: ["refused, with a 201; the empty thread stays", ["Unprocessable", 0]],
    },
  },
  {
    what: "a superstep of a node that the graph does not have",
    look: (server) =>
      tryToCreate(server, { metadata: GRAPH, supersteps: [...CONVERSATION, said("nobody")] }),
    on: {
      "built-in": ["taken: it knows no graph", ["done", 4]],
      javascript: ["500; what was before it stays", ["ServerError", 3]],
      python: ["refused; what was before it stays", ["Unprocessable", 3]],
    },
  },
  {
    what: "a message without type and content",
    look: (server) =>
      tryToCreate(server, { metadata: GRAPH, supersteps: [...CONVERSATION, UNREADABLE] }),
    on: {
      "built-in": ["refused; nothing stays", ["Unprocessable", "no thread"]],
      javascript: ["500; what was before it stays", ["ServerError", 3]],
      python: ["refused; what was before it stays", ["Unprocessable", 3]],
    },
  },
  {
    what: "a message with a type that nobody knows",
    look: (server) =>
      tryToCreate(server, {
        metadata: GRAPH,
        supersteps: [said("__start__", { type: "oracle", content: "hm" })],
      }),
    on: {
      "built-in": ["taken", ["done", 1]],
      javascript: ["500; the empty thread stays", ["ServerError", 0]],
      python: ["refused; the empty thread stays", ["Unprocessable", 0]],
    },
  },
  {
    what: "a message with `role` in place of `type`",
    look: async ({ threads }) => {
      const supersteps = [said("__start__", untyped({ role: "user", content: "hi" }))];
      return outcomeOf(threads.create({ metadata: GRAPH, supersteps }));
    },
    on: {
      "built-in": ["refused", "Unprocessable"],
      javascript: ["taken", "done"],
      python: ["taken", "done"],
    },
  },
  {
    what: "members of the state that the graph does not declare",
    look: async ({ threads }) => {
      const updates = [{ as_node: "__start__", values: { mood: "glad", messages: [] } }];
      const { values } = await threads.create({ metadata: GRAPH, supersteps: [{ updates }] });
      return Object.keys(values ?? {}).toSorted();
    },
    on: {
      "built-in": ["kept", ["messages", "mood"]],
      javascript: ["dropped", ["messages"]],
      python: ["dropped", ["messages"]],
    },
  },
  {
    what: "default members of a stored message that the contract names",
    look: async (server) => {
      const { values } = await aConversation(server);
      const [, answer = {}] = parsed(Messages, values).messages;
      return ["name", "example", "usage_metadata"].filter((name) => name in answer);
    },
    on: {
      "built-in": ["all", ["name", "example", "usage_metadata"]],
      javascript: ["without `name`, `example`, `usage_metadata`", []],
      python: ["without `example`", ["name", "usage_metadata"]],
    },
  },
  {
    what: "the status after supersteps that leave nodes to run",
    look: async ({ threads }) => {
      const supersteps = [said("__start__", human("hello"))];
      return (await threads.create({ metadata: GRAPH, supersteps })).status;
    },
    on: {
      "built-in": ["`idle`", "idle"],
      javascript: ["`idle`", "idle"],
      python: ["`interrupted`", "interrupted"],
    },
  },
  {
    what: '`if_exists: "do_nothing"` with supersteps',
    look: async (server) => {
      const { thread_id } = await aConversation(server);
      const supersteps = [said("agent", ai("once more"))];
      await server.threads.create({ thread_id, if_exists: "do_nothing", supersteps });
      return contentsOf((await server.threads.state(thread_id)).values);
    },
    on: {
      "built-in": ["does nothing", ["hello", "hi"]],
      javascript: ["applies them", ["hello", "hi", "once more"]],
      python: ["applies them", ["hello", "hi", "once more"]],
    },
  },
  {
    what: "an id in capital letters",
    look: async ({ threads }) => {
      const thread_id = randomUUID();
      await threads.create({ thread_id: thread_id.toUpperCase(), metadata: aMark() });
      return outcomeOf(threads.get(thread_id));
    },
    on: {
      "built-in": ["the same thread", "done"],
      javascript: ["another thread", "NotFound"],
      python: ["the same thread", "done"],
    },
  },
  {
    what: "a create without a body",
    look: async (server) => (await server.send("POST", "/threads")).status,
    on: {
      "built-in": ["200", 200],
      javascript: ["400", 400],
      python: ["422", 422],
    },
  },
];
