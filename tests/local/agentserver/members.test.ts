import { join } from "node:path";
import { expect } from "chai";
import fc from "fast-check";
import { z } from "zod";
import { openThreadDatabase } from "../../../local/agentserver/database";
import { MANY_THREADS, RAREST_MEMBER } from "../../../local/agentserver/members";
import { pageOf } from "../../../local/agentserver/search-queries";
import { Search } from "../../../local/agentserver/search";
import { Threads } from "../../../local/agentserver/threads";
import type { Database } from "../../../local/sqlite/database";
import { SearchThreads } from "../../../sdk/schema/thread";
import { useFolder } from "./support";

const SORT_KEYS = SearchThreads.shape.sort_by.unwrap().options;
const Named = z.object({ thread_id: z.string() });
const ORDERS = SearchThreads.shape.sort_order.unwrap().options;

describe("agent server: the index of metadata", () => {
  const folder = useFolder();
  let time = 0;
  let database: Database;
  let threads: Threads;
  beforeEach(() => {
    database = openThreadDatabase(join(folder(), "threads.db"));
    // Every second thread is as old as the one before it.
    threads = new Threads(database, () => new Date((time++ >> 1) * 1000));
  });
  afterEach(() => database.close());

  const create = (metadata: Record<string, unknown>) => threads.create({ metadata }).thread_id;
  const search = async (query: object) => {
    const page = await threads.search(SearchThreads.parse(query));
    return page.threads.map(({ thread_id }) => thread_id);
  };
  const members = () =>
    database.all(
      z.unknown(),
      "SELECT member, thread FROM metadata_members ORDER BY thread, member",
    );
  const rarest = (metadata: object) =>
    database.get(z.unknown(), RAREST_MEMBER, JSON.stringify(metadata));

  /** What the database looks at for a search by a member that so many threads have. */
  const plan = (query: object, having: number) => {
    const asked = SearchThreads.parse({ metadata: { user: "u1" }, ...query });
    const member = { member: '["user","text","u1"]', threads: having };
    const { sql, parameters } = pageOf(asked, member);
    return database
      .all(z.unknown(), `EXPLAIN QUERY PLAN ${sql}`, ...parameters)
      .map((step) => String(Object(step).detail))
      .filter((detail) => / threads|members|ORDER/.test(detail));
  };
  const BY_MEMBER = [
    "SEARCH metadata_members USING PRIMARY KEY (member=?)",
    "SEARCH threads USING INTEGER PRIMARY KEY (rowid=?)",
  ];

  it("gives the page of a search in the default order, or its reverse, without looking at anything else", () => {
    for (const sort_order of ORDERS)
      expect(plan({ sort_order }, MANY_THREADS)).to.deep.equal(BY_MEMBER);
  });

  it("gives what is sorted in another order when few threads have the member, else that order is followed", () => {
    const query = { sort_by: "updated_at" };
    expect(plan(query, MANY_THREADS - 1)).to.include.members(BY_MEMBER);
    expect(plan(query, MANY_THREADS)).to.deep.equal(["SCAN threads USING INDEX threads_by_update"]);
  });

  it("is kept by create, update, copy and delete", () => {
    const first = create({ user: "u1", n: 1, deep: { a: 1 }, list: [1] });
    expect(members()).to.deep.equal([
      { member: '["n","integer",1]', thread: 1 },
      { member: '["user","text","u1"]', thread: 1 },
    ]);
    threads.update(first, { metadata: { n: null, yes: true, user: {} } });
    threads.copy(first);
    expect(members()).to.deep.equal(
      [1, 2].flatMap((thread) => [
        { member: '["n","null",null]', thread },
        { member: '["yes","true",1]', thread },
      ]),
    );
    threads.delete(first);
    expect(members()).to.deep.include({ member: '["yes","true",1]', thread: 2 });
    expect(members()).to.have.length(2);
  });

  it("is asked for the member that the fewest threads have", () => {
    for (const user of ["u1", "u2", "u3"]) create({ graph_id: "agent", user });
    expect(rarest({ graph_id: "agent", user: "u2" })).to.deep.equal({
      member: '["user","text","u2"]',
      threads: 1,
    });
    expect(rarest({ graph_id: "agent", user: "u4" })).to.have.property("threads", 0);
    expect(rarest({ deep: { a: 1 }, list: [1] })).to.equal(undefined);
  });

  it("tells long texts apart that begin alike, in one thread and in several", async () => {
    const long = "x".repeat(500);
    const first = create({ text: `${long}1`, [`${long}1`]: 1, [`${long}2`]: 2 });
    const second = create({ text: `${long}2` });
    expect(await search({ metadata: { text: `${long}1` } })).to.deep.equal([first]);
    expect(await search({ metadata: { text: `${long}2` } })).to.deep.equal([second]);
    expect(await search({ metadata: { [`${long}2`]: 2 } })).to.deep.equal([first]);
    threads.delete(first);
    expect(members()).to.have.length(1);
  });

  it("keeps every order right when many threads have the member", async () => {
    const ids = Array.from({ length: MANY_THREADS + 2 }, () => create({ graph_id: "agent" }));
    const [oldest = ""] = ids;
    threads.update(oldest, {});
    expect(rarest({ graph_id: "agent" })).to.have.property("threads", MANY_THREADS);
    const metadata = { graph_id: "agent" };
    expect(await search({ metadata, sort_by: "updated_at", limit: 2 })).to.deep.equal([
      oldest,
      ids.at(-1),
    ]);
    expect(
      await search({ metadata, sort_by: "thread_id", sort_order: "asc", limit: 1000 }),
    ).to.deep.equal(ids.toSorted().slice(0, 1000));
    expect(await threads.count({ metadata })).to.equal(MANY_THREADS + 2);
  });

  it("changes nothing of what is found, in any order and with any other filter", () => {
    const scalar = fc.constantFrom<unknown>(0, 1, 1.5, "", "1", "a", true, false, null);
    const value = fc.oneof(
      { weight: 4, arbitrary: scalar },
      fc.array(scalar, { maxLength: 2 }),
      fc.dictionary(fc.constantFrom("a", "b"), scalar, { maxKeys: 2 }),
    );
    const metadata = fc.dictionary(fc.constantFrom("a", "b", 'c"d.e'), value, { maxKeys: 3 });
    const change = fc.tuple(
      fc.constantFrom("create", "update", "copy", "delete"),
      fc.nat(),
      metadata,
    );
    const query = fc.record({
      metadata,
      sort_by: fc.constantFrom(...SORT_KEYS),
      sort_order: fc.constantFrom(...ORDERS),
      status: fc.constantFrom("idle" as const, undefined),
      values: fc.constantFrom({}, { none: 1 }, undefined),
      limit: fc.constantFrom(1, 1000),
      offset: fc.constantFrom(0, 1),
    });
    const changes = fc.array(change, { minLength: 5, maxLength: 20 });
    return fc.assert(
      fc.asyncProperty(
        changes,
        fc.array(query, { minLength: 10, maxLength: 10 }),
        async (steps, queries) => {
          for (const [verb, place, given] of steps) {
            const ids = await search({ sort_order: "asc", limit: 1000 });
            const id = ids[place % ids.length];
            if (verb === "create" || id === undefined) create(given);
            else if (verb === "update") threads.update(id, { metadata: given });
            else threads[verb](id);
          }
          for (const asked of queries) {
            const { sql, parameters } = pageOf(asked);
            const withoutIndex = database
              .all(z.unknown(), sql, ...parameters)
              .map((row) => Object(row).thread_id);
            expect(await search(asked)).to.deep.equal(withoutIndex);
            const inSlices = await new Search(database, 2).page(Named, asked);
            expect(inSlices.map(({ thread_id }) => thread_id)).to.deep.equal(withoutIndex);
            if (asked.limit === 1000 && asked.offset === 0)
              expect(await threads.count(asked)).to.equal(withoutIndex.length);
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});
