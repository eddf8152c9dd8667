import { randomUUID } from "node:crypto";
import type { CreateThread } from "pulumi-agentserver/sdk";
import { z } from "zod";
import { recordOf } from "../../../shared/records";
import { until } from "../../local/children";
import { contentsOf } from "../../support/agents";
import { parsed, untyped } from "../../support/values";
import {
  aConversation,
  ai,
  aMark,
  CONVERSATION,
  GRAPH,
  human,
  NOBODY,
  said,
  type Subject,
} from "./subject";

/** A difference between the servers. docs/agent-servers.md has it in words. */
interface Difference {
  /** Its subject: the first cell of its row in the document. */
  readonly what: string;
  /** What a comparison of the servers finds of it, by the words of `Found`. */
  readonly finds?: RegExp;
  /** Looks at a server. */
  readonly look: (server: Subject) => Promise<unknown>;
  /** The observation on each server, in the order of `KINDS`; of a list its values in one line. */
  readonly seen: readonly [builtIn: unknown, javascript: unknown, python: unknown];
}

/** The statuses of requests to a thread with a conversation: the method, the path below it, the body. */
async function statusesOf(
  server: Subject,
  ...requests: readonly (readonly [method: string, path: string, body?: unknown])[]
): Promise<number[]> {
  const { thread_id } = await aConversation(server);
  const sent = requests.map(([method, path, body]) =>
    server.send(method, `/threads/${thread_id}${path}`, body),
  );
  return (await Promise.all(sent)).map(({ status }) => status);
}

/** The result of a request: `done`, or the name of its error's class. */
async function outcomeOf(request: Promise<unknown>): Promise<string> {
  return request.then(
    () => "done",
    (error: unknown) => (error instanceof Error ? error.name : "no error"),
  );
}

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

/** The queries that find a thread of that metadata. */
function finders(metadata: Record<string, unknown>, queries: Record<string, unknown>[]) {
  return async ({ threads }: Subject) => {
    const mark = aMark();
    await threads.create({ metadata: { ...mark, ...metadata } });
    const found = queries.map(async (query) => {
      const page = await threads.search({ metadata: { ...mark, ...query } });
      return page.length === 1;
    });
    return Promise.all(found);
  };
}

/** A header of three pages of one thread each. */
async function pagesOf(server: Subject, header: string) {
  const metadata = aMark();
  for (let count = 0; count < 3; count += 1) await server.threads.create({ metadata });
  const ask = (offset: number) =>
    server.send("POST", "/threads/search", { metadata, limit: 1, offset });
  const pages = await Promise.all([0, 1, 2].map(ask));
  return pages.map(({ headers }) => headers.get(header));
}

async function searched(server: Subject, query: Record<string, unknown>): Promise<number> {
  return (await server.send("POST", "/threads/search", query)).status;
}

async function historyOf(server: Subject) {
  const { thread_id } = await aConversation(server);
  return server.threads.history(thread_id, { limit: 10 });
}

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

const INPUT = { messages: [human("Where is order 7?")] };

async function run(server: Subject, assistant_id: string, threadId?: string) {
  const id = threadId ?? (await aConversation(server)).thread_id;
  return outcomeOf(server.client.runs.wait(id, { assistant_id, input: INPUT }));
}

/** All that is known to differ between the servers, in the order of the document. */
export const DIFFERENCES: readonly Difference[] = [
  {
    what: "supersteps for a thread without a `graph_id`",
    look: (server) => tryToCreate(server, { supersteps: CONVERSATION }),
    seen: ["done, 3", "Unprocessable, 0", "Unprocessable, 0"],
  },
  {
    what: "supersteps for a graph that the server does not have",
    look: (server) =>
      tryToCreate(server, { metadata: { graph_id: "agnet" }, supersteps: CONVERSATION }),
    seen: ["NotFound, no thread", "NotFound, 0", "Unprocessable, 0"],
  },
  {
    what: "a superstep of a node that the graph does not have",
    look: (server) =>
      tryToCreate(server, { metadata: GRAPH, supersteps: [...CONVERSATION, said("nobody")] }),
    seen: ["done, 4", "ServerError, 3", "Unprocessable, 3"],
  },
  {
    what: "a message without type and content",
    look: (server) =>
      tryToCreate(server, { metadata: GRAPH, supersteps: [...CONVERSATION, UNREADABLE] }),
    seen: ["Unprocessable, no thread", "ServerError, 3", "Unprocessable, 3"],
  },
  {
    what: "a message with a type that nobody knows",
    look: (server) =>
      tryToCreate(server, {
        metadata: GRAPH,
        supersteps: [said("__start__", { type: "oracle", content: "hm" })],
      }),
    seen: ["done, 1", "ServerError, 0", "Unprocessable, 0"],
  },
  {
    what: "a message with `role` in place of `type`",
    look: async ({ threads }) => {
      const supersteps = [said("__start__", untyped({ role: "user", content: "hi" }))];
      return outcomeOf(threads.create({ metadata: GRAPH, supersteps }));
    },
    seen: ["Unprocessable", "done", "done"],
  },
  {
    what: "members of the state that the graph does not declare",
    look: async ({ threads }) => {
      const updates = [{ as_node: "__start__", values: { mood: "glad", messages: [] } }];
      const { values } = await threads.create({ metadata: GRAPH, supersteps: [{ updates }] });
      return Object.keys(values ?? {}).toSorted();
    },
    seen: ["messages, mood", "messages", "messages"],
  },
  {
    what: "default members of a stored message that the contract names",
    look: async (server) => {
      const { values } = await aConversation(server);
      const [, answer = {}] = parsed(Messages, values).messages;
      return ["name", "example", "usage_metadata"].filter((name) => name in answer);
    },
    seen: ["name, example, usage_metadata", "", "name, usage_metadata"],
  },
  {
    what: "the status after supersteps that leave nodes to run",
    look: async ({ threads }) => {
      const supersteps = [said("__start__", human("hello"))];
      return (await threads.create({ metadata: GRAPH, supersteps })).status;
    },
    seen: ["idle", "idle", "interrupted"],
  },
  {
    what: '`if_exists: "do_nothing"` with supersteps',
    look: async (server) => {
      const { thread_id } = await aConversation(server);
      const supersteps = [said("agent", ai("once more"))];
      await server.threads.create({ thread_id, if_exists: "do_nothing", supersteps });
      return contentsOf((await server.threads.state(thread_id)).values);
    },
    seen: ["hello, hi", "hello, hi, once more", "hello, hi, once more"],
  },
  {
    what: "an id in capital letters",
    look: async ({ threads }) => {
      const thread_id = randomUUID();
      await threads.create({ thread_id: thread_id.toUpperCase(), metadata: aMark() });
      return outcomeOf(threads.get(thread_id));
    },
    seen: ["done", "NotFound", "done"],
  },
  {
    what: "a create without a body",
    look: async (server) => (await server.send("POST", "/threads")).status,
    seen: [200, 400, 422],
  },
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
    seen: ["false, false", "true, true", "true, true"],
  },
  {
    what: "`state_updated_at` and `interrupts` of a thread",
    finds: /threads.* answers (?:state_updated_at|interrupts)/,
    look: async (server) => {
      const { body } = await server.send("POST", "/threads", {});
      return ["state_updated_at", "interrupts"].filter((name) => name in recordOf(body));
    },
    seen: ["", "", "state_updated_at"],
  },
  {
    what: "a PATCH of a thread without `metadata`",
    finds: /PATCH .*thread_id\}(?: ttl.*)?$/,
    look: (server) => statusesOf(server, ["PATCH", "", {}]),
    seen: ["200", "400", "200"],
  },
  {
    what: "times",
    look: async ({ threads }) => (await threads.create()).created_at.replace(/\d/g, "0"),
    seen: [
      "0000-00-00T00:00:00.000Z",
      "0000-00-00T00:00:00.000Z",
      "0000-00-00T00:00:00.000000+00:00",
    ],
  },
  {
    what: "a copy of a thread that is not there",
    look: ({ threads }) => outcomeOf(threads.copy(NOBODY)),
    seen: ["NotFound", "Conflict", "Conflict"],
  },
  {
    what: "the metadata of a copy",
    look: async ({ threads }) => {
      const { thread_id } = await threads.create({ metadata: { user: "u1" } });
      return Object.keys((await threads.copy(thread_id)).metadata);
    },
    seen: ["user", "user, thread_id", "user"],
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
    seen: [false, true, false],
  },
  {
    what: "a search by `values`",
    look: async (server) => {
      const metadata = aMark();
      await server.threads.create({ metadata });
      await aConversation(server, metadata);
      const found = server.threads.search({ metadata, values: { mood: "glad" } });
      return found.then(
        ({ length }) => length,
        (error: Error) => error.name,
      );
    },
    seen: [0, 1, "ServerError"],
  },
  {
    what: "a search by a list in metadata",
    look: finders({ tags: ["x", "y"] }, [{ tags: ["x", "y"] }, { tags: ["x"] }, { tags: ["y"] }]),
    seen: ["true, true, true", "true, true, false", "true, false, false"],
  },
  {
    what: "a search by null in metadata",
    look: finders({ team: null }, [{ team: null }]),
    seen: ["true", "false", "true"],
  },
  {
    what: "a search by `true` where metadata has 1",
    look: finders({ n: 1 }, [{ n: true }]),
    seen: ["false", "false", "true"],
  },
  {
    what: "threads that sort alike, in descending order",
    look: async ({ threads }) => {
      const metadata = aMark();
      const ids: string[] = [];
      for (let count = 0; count < 3; count += 1)
        ids.push((await threads.create({ metadata })).thread_id);
      const found = await threads.search({ metadata, sort_by: "status", sort_order: "desc" });
      return found.map(({ thread_id }) => ids.indexOf(thread_id));
    },
    seen: ["2, 1, 0", "0, 1, 2", "0, 1, 2"],
  },
  {
    what: 'a search by `sort_by: "state_updated_at"`',
    finds: /search sort_by "state_updated_at"/,
    look: (server) => searched(server, { sort_by: "state_updated_at" }),
    seen: [422, 400, 200],
  },
  {
    what: "`select` of `state_updated_at` or `interrupts`",
    finds: /search select \["(?:state_updated_at|interrupts)"\]/,
    look: (server) => searched(server, { select: ["state_updated_at", "interrupts"] }),
    seen: [422, 200, 200],
  },
  {
    what: "`extract` in a search",
    finds: /search (?:extract|answers extracted)/,
    look: async (server) => {
      const metadata = aMark();
      await aConversation(server, metadata);
      const extract = { first: "values.messages[0].content" };
      const { body } = await server.send("POST", "/threads/search", { metadata, extract });
      return recordOf([body].flat()[0])["extracted"];
    },
    seen: [undefined, undefined, { first: "hello" }],
  },
  {
    what: "an unknown member in `select`",
    look: ({ threads }) => outcomeOf(threads.search({ select: untyped(["secrets"]) })),
    seen: ["Unprocessable", "done", "Unprocessable"],
  },
  {
    what: "`X-Pagination-Next` of a search",
    look: (server) => pagesOf(server, "x-pagination-next"),
    seen: ["1, 2, ", ", , ", "1, 2, "],
  },
  {
    what: "`X-Pagination-Total` of a search",
    look: (server) => pagesOf(server, "x-pagination-total"),
    seen: ["2, 3, 3", "3, 4, 5", "2, 3, 3"],
  },
  {
    what: "`ids` of a count",
    look: async ({ threads }) => {
      const metadata = aMark();
      const { thread_id } = await threads.create({ metadata });
      await threads.create({ metadata });
      return threads.count({ metadata, ids: [thread_id] });
    },
    seen: [1, 2, 2],
  },
  {
    what: "what the contract names of a state's `metadata`",
    look: async (server) => {
      const [newest] = await historyOf(server);
      const names = ["writes", "graph_id", "checkpoint_id"];
      return names.filter((name) => name in (newest?.metadata ?? {}));
    },
    seen: ["writes, graph_id, checkpoint_id", "", "checkpoint_id"],
  },
  {
    what: "`checkpoint_id` in a state's `metadata`",
    look: async (server) => {
      const [newest] = await historyOf(server);
      const { metadata, checkpoint_id, parent_checkpoint_id } = newest ?? {};
      const ids = { own: checkpoint_id, parent: parent_checkpoint_id };
      return Object.entries(ids).find(([, id]) => id === metadata?.["checkpoint_id"])?.[0];
    },
    seen: ["own", undefined, "parent"],
  },
  {
    what: "`tasks` of a state with nodes to run",
    look: async (server) => {
      const [, waiting] = await historyOf(server);
      return waiting?.tasks.map((task) => recordOf(task)["name"]);
    },
    seen: ["", "agent", "agent"],
  },
  {
    what: "the state at a checkpoint id that is not a UUID",
    look: async ({ threads }) => {
      const { thread_id } = await threads.create();
      return outcomeOf(threads.state(thread_id, "x"));
    },
    seen: ["done", "Unprocessable", "done"],
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
    seen: ["200", "400", "200"],
  },
  {
    what: "`values` of a state before any message",
    look: async (server) => (await historyOf(server)).at(-1)?.values,
    seen: [{}, { messages: [] }, { messages: [] }],
  },
  {
    what: "`interrupts` of a state",
    finds: /\/(?:state|history|checkpoint|checkpoint_id\}) answers interrupts/,
    look: async (server) => {
      const { thread_id } = await aConversation(server);
      const { body } = await server.send("GET", `/threads/${thread_id}/state`);
      return recordOf(body)["interrupts"];
    },
    seen: [undefined, undefined, ""],
  },
  {
    what: "`next` after a state's write without `as_node`",
    finds: /\/state(?: values.*| checkpoint .*)?$/,
    look: async (server) => {
      const { thread_id } = await aConversation(server);
      await server.threads.updateState(thread_id, { values: {} });
      return (await server.threads.state(thread_id)).next;
    },
    seen: ["", "agent", "agent"],
  },
  {
    what: "a state's write of a node that the graph does not have",
    finds: /state as_node "nobody"/,
    look: (server) => statusesOf(server, ["POST", "/state", { values: {}, as_node: "nobody" }]),
    seen: ["200", "500", "400"],
  },
  {
    what: "the state at a checkpoint, asked for with `{}`",
    finds: /state\/checkpoint checkpoint \{\}/,
    look: async (server) => {
      const { thread_id } = await server.threads.create();
      return (await server.send("POST", `/threads/${thread_id}/state/checkpoint`, {})).status;
    },
    seen: [422, 200, 422],
  },
  {
    what: "a history's `limit` that is not 1 to 1000",
    finds: /history limit (?:0|1001)/,
    look: async ({ threads }) => {
      const { thread_id } = await threads.create();
      const outcomes = [0, 1001].map((limit) => outcomeOf(threads.history(thread_id, { limit })));
      return Promise.all(outcomes);
    },
    seen: ["Unprocessable, Unprocessable", "done, done", "Unprocessable, Unprocessable"],
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
    seen: ["1, 10", "10, 10", "1, 1"],
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
    seen: ["200, 200", "200, 400", "422, 200"],
  },
  {
    what: "a state's write to a thread without a `graph_id`",
    look: async ({ threads }) => {
      const { thread_id } = await threads.create();
      return outcomeOf(threads.updateState(thread_id, { values: {}, as_node: "agent" }));
    },
    seen: ["done", "Unprocessable", "Unprocessable"],
  },
  {
    what: "a state's write after a checkpoint that is not there",
    look: async (server) => {
      const { thread_id } = await aConversation(server);
      const write = { values: { messages: [] }, as_node: "agent", checkpoint_id: NOBODY };
      return outcomeOf(server.threads.updateState(thread_id, write));
    },
    seen: ["NotFound", "done", "done"],
  },
  {
    what: "an assistant of a graph that the server does not have",
    look: ({ client }) => outcomeOf(client.assistants.create({ graph_id: "agnet" })),
    seen: ["NotFound", "done", "NotFound"],
  },
  {
    what: "an assistant with `configurable` and `context`",
    look: ({ client }) => {
      const config = { configurable: { a: 1 } };
      return outcomeOf(client.assistants.create({ ...GRAPH, config, context: { a: 1 } }));
    },
    seen: ["Unprocessable", "done", "Unprocessable"],
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
    seen: [{ a: 1 }, undefined, { a: 1 }],
  },
  {
    what: "a PATCH of an assistant with `context: {}` alone",
    look: (server) => afterPatch(server, { context: {} }),
    seen: [
      { config: { tags: ["t"] }, context: {} },
      { config: { tags: ["t"], configurable: {} }, context: {} },
      { config: { tags: ["t"], configurable: { a: 1 } }, context: {} },
    ],
  },
  {
    what: "a PATCH of an assistant with `config: {}` alone",
    look: (server) => afterPatch(server, { config: {} }),
    seen: [
      { config: { configurable: { a: 1 } }, context: { a: 1 } },
      { config: {}, context: { a: 1 } },
      { config: { tags: ["t"], configurable: { a: 1 } }, context: { a: 1 } },
    ],
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
    seen: [
      { name: "a", description: "b", context: { d: 1 }, tags: ["c"] },
      { name: "a", description: "f", context: { d: 2 }, tags: ["c"] },
      { name: "a", description: "b", context: { d: 2 }, tags: ["c"] },
    ],
  },
  {
    what: "an assistant's empty name",
    look: async ({ client }) => (await client.assistants.create({ ...GRAPH, name: "" })).name,
    seen: ["Untitled", "agent", "Untitled"],
  },
  {
    what: "`thread_id`, `assistant_id`, `run_id`, `cron_id` in an assistant's metadata",
    look: async ({ client }) => {
      const metadata = { thread_id: "a", assistant_id: "b", run_id: "c", cron_id: "d" };
      return Object.keys((await client.assistants.create({ ...GRAPH, metadata })).metadata);
    },
    seen: ["", "thread_id, assistant_id, run_id, cron_id", ""],
  },
  {
    what: "an assistant's id in capital letters",
    look: async ({ client: { assistants } }) => {
      const { assistant_id } = await assistants.create({ ...GRAPH, assistant_id: randomUUID() });
      return outcomeOf(assistants.get(assistant_id.toUpperCase()));
    },
    seen: ["done", "NotFound", "done"],
  },
  {
    what: "an assistant by its graph's name",
    look: ({ client }) => outcomeOf(client.assistants.get("agent")),
    seen: ["Unprocessable", "done", "Unprocessable"],
  },
  {
    what: "a search for assistants of a graph that the server does not have",
    look: ({ client }) => outcomeOf(client.assistants.search({ graph_id: "agnet-2" })),
    seen: ["NotFound", "done", "NotFound"],
  },
  {
    what: "crons",
    look: async (server) => {
      const { body } = await server.send("GET", "/info");
      const count = await server.send("POST", "/runs/crons/count", {});
      return [recordOf(recordOf(body)["flags"])["crons"], count.status];
    },
    seen: ["false, 404", "false, 404", "true, 200"],
  },
  {
    what: "runs",
    look: (server) => run(server, "agent"),
    seen: ["NotFound", "done", "done"],
  },
  {
    what: "a run of an assistant that is not there",
    look: (server) => run(server, "nobody"),
    seen: ["NotFound", "NotFound", "Unprocessable"],
  },
  {
    what: "a run on a thread that is not there",
    look: (server) => run(server, "agent", NOBODY),
    seen: ["NotFound", "Unprocessable", "NotFound"],
  },
  {
    what: "pruning, storage and commands of threads",
    finds: /\/(?:prune|storage|commands)$/,
    look: async (server) => {
      const [storage, commands] = await statusesOf(
        server,
        ["GET", "/storage"],
        ["POST", "/commands", {}],
      );
      const { status } = await server.send("POST", "/threads/prune", { thread_ids: [NOBODY] });
      return [status, storage, commands];
    },
    seen: ["404, 404, 404", "404, 404, 400", "200, 200, 400"],
  },
  {
    what: "the status of a refusal: a wrong member, a body that is not JSON",
    look: async (server) => {
      const bodies = [{ metadata: 5 }, "{"].map((body) => server.send("POST", "/threads", body));
      return (await Promise.all(bodies)).map(({ status }) => status);
    },
    seen: ["422, 422", "400, 400", "422, 422"],
  },
  {
    what: "the body of an error",
    look: async (server) => {
      const { body } = await server.send("GET", `/threads/${NOBODY}`);
      return typeof body === "string" ? "text" : Object.keys(recordOf(body));
    },
    seen: ["detail", "text", "detail"],
  },
  {
    what: "a method that a path does not have",
    look: async (server) => (await server.send("PUT", `/threads/${NOBODY}`, {})).status,
    seen: [405, 404, 405],
  },
  {
    what: "`GET /info`",
    look: async (server) => {
      const { body } = await server.send("GET", "/info");
      return ["graphs", "variables", "commit", "flags"].filter((name) => name in recordOf(body));
    },
    seen: ["graphs, variables, commit, flags", "flags", "flags"],
  },
];
