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

type Look = (server: Subject) => Promise<unknown>;

/**
 * A difference between the servers, which docs/agent-servers.md has in words: the first cell of its row there, what is seen
 * on each server in the order of `KINDS`, of a list its values in one line, and the look at a server.
 */
const row = (
  what: string,
  seen: readonly [builtIn: unknown, javascript: unknown, python: unknown],
  look: Look,
) => ({ what, seen, look });

async function statusOf(server: Subject, method: string, path: string, body: unknown) {
  const { thread_id } = await aConversation(server);
  return (await server.send(method, `/threads/${thread_id}${path}`, body)).status;
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

const UNREADABLE = { updates: [{ as_node: "agent", values: untyped({ messages: [{}] }) }] };

/** The queries that find a thread of that metadata. */
function finders(metadata: Record<string, unknown>, queries: Record<string, unknown>[]) {
  return async ({ threads }: Subject) => {
    const mark = aMark();
    await threads.create({ metadata: { ...mark, ...metadata } });
    const found = queries.map(async (query) => {
      return (await threads.search({ metadata: { ...mark, ...query } })).length === 1;
    });
    return Promise.all(found);
  };
}

async function pagesOf(server: Subject, header: string) {
  const metadata = aMark();
  for (let count = 0; count < 3; count += 1) await server.threads.create({ metadata });
  const ask = (offset: number) =>
    server.send("POST", "/threads/search", { metadata, limit: 1, offset });
  const pages = await Promise.all([0, 1, 2].map(ask));
  return pages.map(({ headers }) => headers.get(header));
}

async function historyOf(server: Subject) {
  const { thread_id } = await aConversation(server);
  return server.threads.history(thread_id, { limit: 10 });
}

/** The wire's `config.configurable` after a PATCH with a member alone, which the client never sends. */
async function afterPatch(server: Subject, body: unknown) {
  const { assistant_id } = await server.client.assistants.create({ ...GRAPH, context: { a: 1 } });
  await server.client.assistants.update(assistant_id, {
    config: { tags: ["t"] },
    context: { a: 1 },
  });
  const patched = await server.send("PATCH", `/assistants/${assistant_id}`, body);
  const { config, context } = recordOf(patched.body);
  return { config, context };
}

/** What differs between the servers and matters to a program, in the order of the document. */
export const DIFFERENCES = [
  row(
    "supersteps for a thread without a `graph_id`",
    ["done, 3", "Unprocessable, 0", "Unprocessable, 0"],
    (server) => tryToCreate(server, { supersteps: CONVERSATION }),
  ),
  row(
    "supersteps for a graph that the server does not have",
    ["NotFound, no thread", "NotFound, 0", "Unprocessable, 0"],
    (server) => tryToCreate(server, { metadata: { graph_id: "agnet" }, supersteps: CONVERSATION }),
  ),
  row(
    "a superstep of a node that the graph does not have",
    ["done, 4", "ServerError, 3", "Unprocessable, 3"],
    (server) =>
      tryToCreate(server, { metadata: GRAPH, supersteps: [...CONVERSATION, said("nobody")] }),
  ),
  row(
    "a message without type and content",
    ["Unprocessable, no thread", "ServerError, 3", "Unprocessable, 3"],
    (server) => tryToCreate(server, { metadata: GRAPH, supersteps: [...CONVERSATION, UNREADABLE] }),
  ),
  row(
    "a message with a type that nobody knows",
    ["done, 1", "ServerError, 0", "Unprocessable, 0"],
    (server) =>
      tryToCreate(server, {
        metadata: GRAPH,
        supersteps: [said("__start__", { type: "oracle", content: "hm" })],
      }),
  ),
  row(
    "a message with `role` in place of `type`",
    ["Unprocessable", "done", "done"],
    async ({ threads }) => {
      const supersteps = [said("__start__", untyped({ role: "user", content: "hi" }))];
      return outcomeOf(threads.create({ metadata: GRAPH, supersteps }));
    },
  ),
  row(
    "members of the state that the graph does not declare",
    ["messages, mood", "messages", "messages"],
    async ({ threads }) => {
      const updates = [{ as_node: "__start__", values: { mood: "glad", messages: [] } }];
      const { values } = await threads.create({ metadata: GRAPH, supersteps: [{ updates }] });
      return Object.keys(values ?? {}).toSorted();
    },
  ),
  row(
    "the status after supersteps that leave nodes to run",
    ["idle", "idle", "interrupted"],
    async ({ threads }) => {
      const supersteps = [said("__start__", human("hello"))];
      return (await threads.create({ metadata: GRAPH, supersteps })).status;
    },
  ),
  row(
    '`if_exists: "do_nothing"` with supersteps',
    ["hello, hi", "hello, hi, once more", "hello, hi, once more"],
    async (server) => {
      const { thread_id } = await aConversation(server);
      const supersteps = [said("agent", ai("once more"))];
      await server.threads.create({ thread_id, if_exists: "do_nothing", supersteps });
      return contentsOf((await server.threads.state(thread_id)).values);
    },
  ),
  row("an id in capital letters", ["done", "NotFound", "done"], async ({ threads }) => {
    const thread_id = randomUUID();
    await threads.create({ thread_id: thread_id.toUpperCase(), metadata: aMark() });
    return outcomeOf(threads.get(thread_id));
  }),
  row(
    "a create without a body",
    [200, 400, 422],
    async (server) => (await server.send("POST", "/threads")).status,
  ),
  row(
    "`values` of a thread that is read or found",
    ["false, false", "true, true", "true, true"],
    async (server) => {
      const metadata = aMark();
      const { thread_id } = await aConversation(server, metadata);
      const found = await server.threads.search({ metadata });
      const threads = [await server.threads.get(thread_id), ...found];
      return threads.map(({ values }) => values !== undefined);
    },
  ),
  row("a PATCH of a thread without `metadata`", [200, 400, 200], (server) =>
    statusOf(server, "PATCH", "", {}),
  ),
  row("a copy of a thread that is not there", ["NotFound", "Conflict", "Conflict"], ({ threads }) =>
    outcomeOf(threads.copy(NOBODY)),
  ),
  row("the metadata of a copy", ["user", "user, thread_id", "user"], async ({ threads }) => {
    const { thread_id } = await threads.create({ metadata: { user: "u1" } });
    return Object.keys((await threads.copy(thread_id)).metadata);
  }),
  row("a state's write and the thread's `updated_at`", [false, true, false], async (server) => {
    const { thread_id, updated_at } = await aConversation(server);
    await until("the next millisecond", () => Date.now() > Date.parse(updated_at));
    const values = { messages: [ai("more")] };
    await server.threads.updateState(thread_id, { values, as_node: "agent" });
    return (await server.threads.get(thread_id)).updated_at === updated_at;
  }),
  row("a search by `values`", [0, 1, "ServerError"], async (server) => {
    const metadata = aMark();
    await server.threads.create({ metadata });
    await aConversation(server, metadata);
    const found = server.threads.search({ metadata, values: { mood: "glad" } });
    return found.then(
      ({ length }) => length,
      (error: Error) => error.name,
    );
  }),
  row(
    "a search by a list in metadata",
    ["true, true, true", "true, true, false", "true, false, false"],
    finders({ tags: ["x", "y"] }, [{ tags: ["x", "y"] }, { tags: ["x"] }, { tags: ["y"] }]),
  ),
  row(
    "a search by null in metadata",
    ["true", "false", "true"],
    finders({ team: null }, [{ team: null }]),
  ),
  row(
    "a search by `true` where metadata has 1",
    ["false", "false", "true"],
    finders({ n: 1 }, [{ n: true }]),
  ),
  row("an unknown member in `select`", ["Unprocessable", "done", "Unprocessable"], ({ threads }) =>
    outcomeOf(threads.search({ select: untyped(["secrets"]) })),
  ),
  row("`X-Pagination-Next` of a search", ["1, 2, ", ", , ", "1, 2, "], (server) =>
    pagesOf(server, "x-pagination-next"),
  ),
  row("`X-Pagination-Total` of a search", ["2, 3, 3", "3, 4, 5", "2, 3, 3"], (server) =>
    pagesOf(server, "x-pagination-total"),
  ),
  row("`ids` of a count", [1, 2, 2], async ({ threads }) => {
    const metadata = aMark();
    const { thread_id } = await threads.create({ metadata });
    await threads.create({ metadata });
    return threads.count({ metadata, ids: [thread_id] });
  }),
  row(
    "what the contract names of a state's `metadata`",
    ["writes, graph_id, checkpoint_id", "", "checkpoint_id"],
    async (server) => {
      const [newest] = await historyOf(server);
      const names = ["writes", "graph_id", "checkpoint_id"];
      return names.filter((name) => name in (newest?.metadata ?? {}));
    },
  ),
  row("`tasks` of a state with nodes to run", ["", "agent", "agent"], async (server) => {
    const [, waiting] = await historyOf(server);
    return waiting?.tasks.map((task) => recordOf(task)["name"]);
  }),
  row(
    "the state at a checkpoint id that is not a UUID",
    ["done", "Unprocessable", "done"],
    async ({ threads }) => {
      const { thread_id } = await threads.create();
      return outcomeOf(threads.state(thread_id, "x"));
    },
  ),
  row(
    "`values` of a state before any message",
    [{}, { messages: [] }, { messages: [] }],
    async (server) => (await historyOf(server)).at(-1)?.values,
  ),
  row("`next` after a state's write without `as_node`", ["", "agent", "agent"], async (server) => {
    const { thread_id } = await aConversation(server);
    await server.threads.updateState(thread_id, { values: {} });
    return (await server.threads.state(thread_id)).next;
  }),
  row("a state's write of a node that the graph does not have", [200, 500, 400], (server) =>
    statusOf(server, "POST", "/state", { values: {}, as_node: "nobody" }),
  ),
  row("the state at a checkpoint, asked for with `{}`", [422, 200, 422], async (server) => {
    const { thread_id } = await server.threads.create();
    return (await server.send("POST", `/threads/${thread_id}/state/checkpoint`, {})).status;
  }),
  row(
    "a history's `limit` that is not 1 to 1000",
    ["Unprocessable, Unprocessable", "done, done", "Unprocessable, Unprocessable"],
    async ({ threads }) => {
      const { thread_id } = await threads.create();
      const outcomes = [0, 1001].map((limit) => outcomeOf(threads.history(thread_id, { limit })));
      return Promise.all(outcomes);
    },
  ),
  row(
    "a history without `limit`, by POST and by GET",
    ["1, 10", "10, 10", "1, 1"],
    async (server) => {
      const supersteps = Array.from({ length: 11 }, () => said("agent"));
      const { thread_id } = await server.threads.create({ metadata: GRAPH, supersteps });
      const path = `/threads/${thread_id}/history`;
      const answers = [await server.send("POST", path, {}), await server.send("GET", path)];
      return answers.map(({ body }) => parsed(z.array(z.unknown()), body).length);
    },
  ),
  row(
    "a history's `before`: text, object",
    ["200, 200", "200, 400", "422, 200"],
    async (server) => {
      const { thread_id } = await aConversation(server);
      const forms = [NOBODY, { configurable: { checkpoint_id: NOBODY } }].map((before) =>
        server.send("POST", `/threads/${thread_id}/history`, { before }),
      );
      return (await Promise.all(forms)).map(({ status }) => status);
    },
  ),
  row(
    "a state's write to a thread without a `graph_id`",
    ["done", "Unprocessable", "Unprocessable"],
    async ({ threads }) => {
      const { thread_id } = await threads.create();
      return outcomeOf(threads.updateState(thread_id, { values: {}, as_node: "agent" }));
    },
  ),
  row(
    "a state's write after a checkpoint that is not there",
    ["NotFound", "done", "done"],
    async (server) => {
      const { thread_id } = await aConversation(server);
      const write = { values: { messages: [] }, as_node: "agent", checkpoint_id: NOBODY };
      return outcomeOf(server.threads.updateState(thread_id, write));
    },
  ),
  row(
    "an assistant of a graph that the server does not have",
    ["NotFound", "done", "NotFound"],
    ({ client }) => outcomeOf(client.assistants.create({ graph_id: "agnet" })),
  ),
  row(
    "an assistant with `configurable` and `context`",
    ["Unprocessable", "done", "Unprocessable"],
    ({ client }) => {
      const config = { configurable: { a: 1 } };
      return outcomeOf(client.assistants.create({ ...GRAPH, config, context: { a: 1 } }));
    },
  ),
  row(
    "`configurable` of an assistant with a `context`",
    [{ a: 1 }, undefined, { a: 1 }],
    async (server) => {
      const { assistant_id } = await server.client.assistants.create({
        ...GRAPH,
        context: { a: 1 },
      });
      const { body } = await server.send("GET", `/assistants/${assistant_id}`);
      return recordOf(recordOf(body)["config"])["configurable"];
    },
  ),
  row(
    "a PATCH of an assistant with `context: {}` alone",
    [
      { config: { tags: ["t"] }, context: {} },
      { config: { tags: ["t"], configurable: {} }, context: {} },
      { config: { tags: ["t"], configurable: { a: 1 } }, context: {} },
    ],
    (server) => afterPatch(server, { context: {} }),
  ),
  row(
    "a PATCH of an assistant with `config: {}` alone",
    [
      { config: { configurable: { a: 1 } }, context: { a: 1 } },
      { config: {}, context: { a: 1 } },
      { config: { tags: ["t"], configurable: { a: 1 } }, context: { a: 1 } },
    ],
    (server) => afterPatch(server, { config: {} }),
  ),
  row(
    "what `latest` restores of an earlier version",
    [
      { name: "a", description: "b", context: { d: 1 }, tags: ["c"] },
      { name: "a", description: "f", context: { d: 2 }, tags: ["c"] },
      { name: "a", description: "b", context: { d: 2 }, tags: ["c"] },
    ],
    async ({ client: { assistants } }) => {
      const first = { name: "a", description: "b", config: { tags: ["c"] }, context: { d: 1 } };
      const { assistant_id } = await assistants.create({ ...GRAPH, ...first });
      const second = { name: "e", description: "f", config: { tags: ["g"] }, context: { d: 2 } };
      await assistants.update(assistant_id, second);
      const restored = await assistants.setLatest(assistant_id, 1);
      const { name, description, context } = restored;
      return { name, description, context, tags: restored.config["tags"] };
    },
  ),
  row(
    "an assistant's empty name",
    ["Untitled", "agent", "Untitled"],
    async ({ client }) => (await client.assistants.create({ ...GRAPH, name: "" })).name,
  ),
  row(
    "`thread_id`, `assistant_id`, `run_id`, `cron_id` in an assistant's metadata",
    ["", "thread_id, assistant_id, run_id, cron_id", ""],
    async ({ client }) => {
      const metadata = { thread_id: "a", assistant_id: "b", run_id: "c", cron_id: "d" };
      return Object.keys((await client.assistants.create({ ...GRAPH, metadata })).metadata);
    },
  ),
  row(
    "an assistant's id in capital letters",
    ["done", "NotFound", "done"],
    async ({ client: { assistants } }) => {
      const { assistant_id } = await assistants.create({ ...GRAPH, assistant_id: randomUUID() });
      return outcomeOf(assistants.get(assistant_id.toUpperCase()));
    },
  ),
  row(
    "an assistant by its graph's name",
    ["Unprocessable", "done", "Unprocessable"],
    ({ client }) => outcomeOf(client.assistants.get("agent")),
  ),
  row(
    "a search for assistants of a graph that the server does not have",
    ["NotFound", "done", "NotFound"],
    ({ client }) => outcomeOf(client.assistants.search({ graph_id: "agnet-2" })),
  ),
  row("crons", ["false, 404", "false, 404", "true, 200"], async (server) => {
    const { body } = await server.send("GET", "/info");
    const count = await server.send("POST", "/runs/crons/count", {});
    return [recordOf(recordOf(body)["flags"])["crons"], count.status];
  }),
  row("runs", ["NotFound", "done", "done"], async (server) => {
    const { thread_id } = await aConversation(server);
    const input = { messages: [human("Where is order 7?")] };
    return outcomeOf(server.client.runs.wait(thread_id, { assistant_id: "agent", input }));
  }),
  row(
    "the status of a refusal: a wrong member, a body that is not JSON",
    ["422, 422", "400, 400", "422, 422"],
    async (server) => {
      const bodies = [{ metadata: 5 }, "{"].map((body) => server.send("POST", "/threads", body));
      return (await Promise.all(bodies)).map(({ status }) => status);
    },
  ),
  row("the body of an error", ["detail", "text", "detail"], async (server) => {
    const { body } = await server.send("GET", `/threads/${NOBODY}`);
    return typeof body === "string" ? "text" : Object.keys(recordOf(body));
  }),
  row("`GET /info`", ["graphs, variables, commit, flags", "flags", "flags"], async (server) => {
    const { body } = await server.send("GET", "/info");
    return ["graphs", "variables", "commit", "flags"].filter((name) => name in recordOf(body));
  }),
];
