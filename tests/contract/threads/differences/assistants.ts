import { randomUUID } from "node:crypto";
import { recordOf } from "../../../../shared/records";
import { GRAPH, type Subject } from "../subject";
import { type Difference, outcomeOf } from "./difference";

/** The wire's `config.configurable` after a PATCH with a member alone, which the client never sends. */
async function afterPatch(server: Subject, body: unknown) {
  const created = await server.client.assistants.create({ ...GRAPH, context: { a: 1 } });
  const { assistant_id } = created;
  await server.client.assistants.update(assistant_id, {
    config: { tags: ["t"] },
    context: { a: 1 },
  });
  const patched = await server.send("PATCH", `/assistants/${assistant_id}`, body);
  const { config, context } = recordOf(patched.body);
  return { config, context };
}

/** Differences in assistants. */
export const OF_ASSISTANTS: readonly Difference[] = [
  {
    what: "an assistant of a graph that the server does not have",
    look: ({ client }) => outcomeOf(client.assistants.create({ graph_id: "agnet" })),
    on: {
      "built-in": ["404, which names the graphs", "NotFound"],
      javascript: ["taken", "done"],
      python: ["404, which names the graphs", "NotFound"],
    },
  },
  {
    what: "an assistant with `configurable` and `context`",
    look: ({ client }) => {
      const config = { configurable: { a: 1 } };
      return outcomeOf(client.assistants.create({ ...GRAPH, config, context: { a: 1 } }));
    },
    on: {
      "built-in": ["refused", "Unprocessable"],
      javascript: ["taken", "done"],
      python: ["refused", "Unprocessable"],
    },
  },
  {
    what: "`configurable` of an assistant with a `context`",
    look: async (server) => {
      const { assistant_id } = await server.client.assistants.create({
        ...GRAPH,
        context: { a: 1 },
      });
      const { body } = await server.send("GET", `/assistants/${assistant_id}`);
      return recordOf(recordOf(body)["config"])["configurable"];
    },
    on: {
      "built-in": ["the same values", { a: 1 }],
      javascript: ["absent", undefined],
      python: ["the same values", { a: 1 }],
    },
  },
  {
    what: "a PATCH of an assistant with `context: {}` alone",
    look: (server) => afterPatch(server, { context: {} }),
    on: {
      "built-in": ["clears `configurable` too", { config: { tags: ["t"] }, context: {} }],
      javascript: [
        "leaves `configurable` as it is",
        { config: { tags: ["t"], configurable: {} }, context: {} },
      ],
      python: [
        "leaves `configurable` with the old values, which graphs read",
        { config: { tags: ["t"], configurable: { a: 1 } }, context: {} },
      ],
    },
  },
  {
    what: "a PATCH of an assistant with `config: {}` alone",
    look: (server) => afterPatch(server, { config: {} }),
    on: {
      "built-in": ["clears the rest", { config: { configurable: { a: 1 } }, context: { a: 1 } }],
      javascript: ["clears all of it", { config: {}, context: { a: 1 } }],
      python: [
        "changes nothing",
        { config: { tags: ["t"], configurable: { a: 1 } }, context: { a: 1 } },
      ],
    },
  },
  {
    what: "what `latest` restores of an earlier version",
    look: async ({ client: { assistants } }) => {
      const first = { name: "a", description: "b", config: { tags: ["c"] }, context: { d: 1 } };
      const { assistant_id } = await assistants.create({ ...GRAPH, ...first });
      const second = { name: "e", description: "f", config: { tags: ["g"] }, context: { d: 2 } };
      await assistants.update(assistant_id, second);
      const restored = await assistants.setLatest(assistant_id, 1);
      const { name, description, context } = restored;
      return {
        name,
        description,
        context,
        tags: restored.config["tags"],
      };
    },
    on: {
      "built-in": ["all of it", { name: "a", description: "b", context: { d: 1 }, tags: ["c"] }],
      javascript: [
        "all but description, context and graph",
        { name: "a", description: "f", context: { d: 2 }, tags: ["c"] },
      ],
      python: [
        "all but context and graph",
        { name: "a", description: "b", context: { d: 2 }, tags: ["c"] },
      ],
    },
  },
  {
    what: "an assistant's empty name",
    look: async ({ client }) => (await client.assistants.create({ ...GRAPH, name: "" })).name,
    on: {
      "built-in": ["`Untitled`", "Untitled"],
      javascript: ["the graph's id", "agent"],
      python: ["`Untitled`", "Untitled"],
    },
  },
  {
    what: "`thread_id`, `assistant_id`, `run_id`, `cron_id` in an assistant's metadata",
    look: async ({ client }) => {
      const metadata = { thread_id: "a", assistant_id: "b", run_id: "c", cron_id: "d" };
      return Object.keys((await client.assistants.create({ ...GRAPH, metadata })).metadata);
    },
    on: {
      "built-in": ["dropped", []],
      javascript: ["kept", ["thread_id", "assistant_id", "run_id", "cron_id"]],
      python: ["dropped", []],
    },
  },
  {
    what: "an assistant's id in capital letters",
    look: async ({ client: { assistants } }) => {
      const { assistant_id } = await assistants.create({ ...GRAPH, assistant_id: randomUUID() });
      return outcomeOf(assistants.get(assistant_id.toUpperCase()));
    },
    on: {
      "built-in": ["the same assistant", "done"],
      javascript: ["404", "NotFound"],
      python: ["the same assistant", "done"],
    },
  },
  {
    what: "an assistant by its graph's name",
    look: ({ client }) => outcomeOf(client.assistants.get("agent")),
    on: {
      "built-in": ["refused", "Unprocessable"],
      javascript: ["the graph's default assistant", "done"],
      python: ["refused", "Unprocessable"],
    },
  },
  {
    what: "a search for assistants of a graph that the server does not have",
    look: ({ client }) => outcomeOf(client.assistants.search({ graph_id: "agnet-2" })),
    on: {
      "built-in": ["404", "NotFound"],
      javascript: ["finds none", "done"],
      python: ["404", "NotFound"],
    },
  },
  {
    what: "crons",
    look: async (server) => {
      const { body } = await server.send("GET", "/info");
      const count = await server.send("POST", "/runs/crons/count", {});
      return [recordOf(recordOf(body)["flags"])["crons"], count.status];
    },
    on: {
      "built-in": ["none, and `/info` says so", [false, 404]],
      javascript: ["none, and `/info` says so", [false, 404]],
      python: ["there", [true, 200]],
    },
  },
];
