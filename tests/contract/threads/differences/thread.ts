import { until } from "../../../local/children";
import { aConversation, ai, aMark, NOBODY } from "../subject";
import { recordOf } from "../../../../shared/records";
import { type Difference, outcomeOf, statusesOf } from "./difference";

/** Differences in the operations on one thread. */
export const OF_THREADS: readonly Difference[] = [
  {
    what: "`values` of a thread that is read or found",
    finds: /thread_id\} answers values/,
    look: async (server) => {
      const metadata = aMark();
      const { thread_id } = await aConversation(server, metadata);
      const found = await server.threads.search({ metadata });
      const threads = [await server.threads.get(thread_id), ...found];
      return threads.map(({ values }) => values !== undefined);
    },
    on: {
      "built-in": ["left out, as the contract says", [false, false]],
      javascript: ["there", [true, true]],
      python: ["there", [true, true]],
    },
  },
  {
    what: "`state_updated_at` and `interrupts` of a thread",
    finds: /threads.* answers (?:state_updated_at|interrupts)/,
    look: async (server) => {
      const { body } = await server.send("POST", "/threads", {});
      return ["state_updated_at", "interrupts"].filter((name) => name in recordOf(body));
    },
    on: {
      "built-in": ["never there: it runs nothing", []],
      javascript: ["`interrupts` after a run", []],
      python: ["`state_updated_at`; `interrupts` after a run", ["state_updated_at"]],
    },
  },
  {
    what: "a PATCH of a thread without `metadata`",
    finds: /PATCH .*thread_id\}(?: ttl.*)?$/,
    look: (server) => statusesOf(server, ["PATCH", "", {}]),
    on: {
      "built-in": ["taken", [200]],
      javascript: ["refused", [400]],
      python: ["taken", [200]],
    },
  },
  {
    what: "times",
    look: async ({ threads }) => (await threads.create()).created_at.replace(/\d/g, "0"),
    on: {
      "built-in": ["in milliseconds, `…Z`", "0000-00-00T00:00:00.000Z"],
      javascript: ["in milliseconds, `…Z`", "0000-00-00T00:00:00.000Z"],
      python: ["in microseconds, `…+00:00`", "0000-00-00T00:00:00.000000+00:00"],
    },
  },
  {
    what: "a copy of a thread that is not there",
    look: ({ threads }) => outcomeOf(threads.copy(NOBODY)),
    on: {
      "built-in": ["404", "NotFound"],
      javascript: ["409", "Conflict"],
      python: ["409", "Conflict"],
    },
  },
  {
    what: "the metadata of a copy",
    look: async ({ threads }) => {
      const { thread_id } = await threads.create({ metadata: { user: "u1" } });
      return Object.keys((await threads.copy(thread_id)).metadata);
    },
    on: {
      "built-in": ["the original's", ["user"]],
      javascript: ["with the copy's `thread_id` too", ["user", "thread_id"]],
      python: ["the original's", ["user"]],
    },
  },
  {
    what: "a state's write and the thread's `updated_at`",
    look: async (server) => {
      const { thread_id, updated_at } = await aConversation(server);
      await until("the next millisecond", () => Date.now() > Date.parse(updated_at));
      const values = { messages: [ai("more")] };
      await server.threads.updateState(thread_id, { values, as_node: "agent" });
      return (await server.threads.get(thread_id)).updated_at === updated_at;
    },
    on: {
      "built-in": ["moves", false],
      javascript: ["stays", true],
      python: ["moves", false],
    },
  },
];
