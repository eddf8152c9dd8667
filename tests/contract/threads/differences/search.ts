import { aConversation, aMark, type Subject } from "../subject";
import { type Difference, outcomeOf } from "./difference";
import { recordOf } from "../../../../shared/records";
import { untyped } from "../../../support/values";

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

/** Differences in searches. */
export const OF_SEARCHES: readonly Difference[] = [
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
    on: {
      "built-in": ["finds what has them", 0],
      javascript: ["finds threads without values too", 1],
      python: ["500", "ServerError"],
    },
  },
  {
    what: "a search by a list in metadata",
    look: finders({ tags: ["x", "y"] }, [{ tags: ["x", "y"] }, { tags: ["x"] }, { tags: ["y"] }]),
    on: {
      "built-in": ["holds these, in any order, as Postgres has it", [true, true, true]],
      javascript: ["begins with these", [true, true, false]],
      python: ["is this list", [true, false, false]],
    },
  },
  {
    what: "a search by null in metadata",
    look: finders({ team: null }, [{ team: null }]),
    on: {
      "built-in": ["finds null", [true]],
      javascript: ["finds nothing", [false]],
      python: ["finds null", [true]],
    },
  },
  {
    what: "a search by `true` where metadata has 1",
    look: finders({ n: 1 }, [{ n: true }]),
    on: {
      "built-in": ["not the same", [false]],
      javascript: ["not the same", [false]],
      python: ["the same", [true]],
    },
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
    on: {
      "built-in": ["the newest first", [2, 1, 0]],
      javascript: ["the oldest first", [0, 1, 2]],
      python: ["the oldest first", [0, 1, 2]],
    },
  },
  {
    what: 'a search by `sort_by: "state_updated_at"`',
    finds: /search sort_by "state_updated_at"/,
    look: (server) => searched(server, { sort_by: "state_updated_at" }),
    on: {
      "built-in": ["refused", 422],
      javascript: ["refused", 400],
      python: ["taken", 200],
    },
  },
  {
    what: "`select` of `state_updated_at` or `interrupts`",
    finds: /search select \["(?:state_updated_at|interrupts)"\]/,
    look: (server) => searched(server, { select: ["state_updated_at", "interrupts"] }),
    on: {
      "built-in": ["refused", 422],
      javascript: ["taken, without a value", 200],
      python: ["taken", 200],
    },
  },
  {
    what: "`extract` in a search",
    finds: /search (?:extract|answers extracted)/,
    look: async (server) => {
      const metadata = aMark();
      await aConversation(server, metadata);
      const extract = { first: "values.messages[0].content" };
      const { body } = await server.send("POST", "/threads/search", { metadata, extract });
      return [body].flat().map((thread) => recordOf(thread)["extracted"]);
    },
    on: {
      "built-in": ["ignored", [undefined]],
      javascript: ["ignored", [undefined]],
      python: ["the values at these paths", [{ first: "hello" }]],
    },
  },
  {
    what: "an unknown member in `select`",
    look: ({ threads }) => outcomeOf(threads.search({ select: untyped(["secrets"]) })),
    on: {
      "built-in": ["refused", "Unprocessable"],
      javascript: ["ignored", "done"],
      python: ["refused", "Unprocessable"],
    },
  },
  {
    what: "`X-Pagination-Next` of a search",
    look: (server) => pagesOf(server, "x-pagination-next"),
    on: {
      "built-in": ["the offset of the next page", ["1", "2", null]],
      javascript: ["never there", [null, null, null]],
      python: ["the offset of the next page", ["1", "2", null]],
    },
  },
  {
    what: "`X-Pagination-Total` of a search",
    look: (server) => pagesOf(server, "x-pagination-total"),
    on: {
      "built-in": ["up to this page, and one more if there is a next", ["2", "3", "3"]],
      javascript: ["all, and the offset again", ["3", "4", "5"]],
      python: ["up to this page, and one more if there is a next", ["2", "3", "3"]],
    },
  },
  {
    what: "`ids` of a count",
    look: async ({ threads }) => {
      const metadata = aMark();
      const { thread_id } = await threads.create({ metadata });
      await threads.create({ metadata });
      return threads.count({ metadata, ids: [thread_id] });
    },
    on: {
      "built-in": ["counts these", 1],
      javascript: ["ignored", 2],
      python: ["ignored", 2],
    },
  },
];
