import { expect } from "chai";
import { type SearchThreads, Unprocessable } from "pulumi-agentserver/sdk";
import { rejection } from "../../support/rejection";
import { aConversation, aMark, type Subject } from "./subject";
import { untyped } from "../../support/values";

/** The search for threads. Each test finds its own by their mark. */
export function searchSuite(server: Subject): void {
  const make = async (metadata: Record<string, unknown>) =>
    (await server.threads.create({ metadata })).thread_id;
  const find = async (query: Partial<SearchThreads>) =>
    (await server.threads.search(query)).map(({ thread_id }) => thread_id);

  it("finds ten threads unless told otherwise, the newest first", async () => {
    const metadata = aMark();
    const ids: string[] = [];
    for (let count = 0; count < 12; count += 1) ids.unshift(await make(metadata));
    expect(await find({ metadata })).to.deep.equal(ids.slice(0, 10));
    expect(await find({ metadata, limit: 20 })).to.deep.equal(ids);
  });

  it("finds threads by metadata at any depth, by type, and every member given", async () => {
    const mark = aMark();
    const deep = { a: { b: true, c: "x" } };
    const wanted = await make({ ...mark, user: "u1", n: 1, deep, "a.b": 1, 'q"uote': "it's" });
    await make({ ...mark, user: "u2", n: "1", deep: { a: { b: false } }, a: { b: 1 } });
    for (const metadata of [
      { user: "u1" },
      { n: 1, user: "u1" },
      { deep: { a: { b: true } } },
      { deep: { a: { c: "x" } } },
      { "a.b": 1 },
      { 'q"uote': "it's" },
    ])
      expect(await find({ metadata: { ...mark, ...metadata } })).to.deep.equal([wanted]);
    for (const metadata of [
      { user: "u3" },
      { user: "u1", n: "1" },
      { deep: { a: true } },
      { deep: { a: { b: null } } },
      { "deep.a.b": true },
      { nothing: null },
    ])
      expect(await find({ metadata: { ...mark, ...metadata } }), JSON.stringify(metadata)).to.be
        .empty;
    expect(await find({ metadata: { ...mark, deep: {} } })).to.have.length(2);
  });

  it("finds threads by their ids, and by no ids all", async () => {
    const mark = aMark();
    const ids = [await make(mark), await make(mark), await make(mark)];
    const wanted = ids.slice(1);
    expect(await find({ metadata: mark, ids: wanted })).to.have.members(wanted);
    expect(await find({ ids: wanted })).to.have.members(wanted);
    expect(await find({ metadata: mark, ids: [] })).to.have.members(ids);
  });

  it("finds threads by each status that there is", async () => {
    const metadata = aMark();
    const id = await make(metadata);
    for (const status of ["idle", "busy", "interrupted", "error"] as const)
      expect(await find({ metadata, status }), status).to.deep.equal(status === "idle" ? [id] : []);
  });

  for (const sort_by of ["thread_id", "status", "created_at", "updated_at"] as const)
    it(`sorts a search by ${sort_by} in either order`, async () => {
      const metadata = aMark();
      for (let count = 0; count < 3; count += 1) await make(metadata);
      const keys = async (sort_order: "asc" | "desc") =>
        (await server.threads.search({ metadata, sort_by, sort_order })).map(
          (thread) => thread[sort_by],
        );
      const up = await keys("asc");
      expect(up).to.have.length(3).and.deep.equal(up.toSorted());
      expect(await keys("desc")).to.deep.equal(up.toReversed());
    });

  it("pages by limit and offset without losing or repeating a thread", async () => {
    const metadata = aMark();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift(await make(metadata));
    const pages = [0, 2, 4, 6].map((offset) => find({ metadata, limit: 2, offset }));
    expect((await Promise.all(pages)).flat()).to.deep.equal(ids);
  });

  it("answers no other members of the threads found than those selected", async () => {
    const metadata = aMark();
    const { thread_id, values } = await aConversation(server, metadata);
    const found = await server.threads.search({ metadata, select: ["thread_id", "values"] });
    expect(found).to.deep.equal([{ thread_id, values }]);
    const [whole] = await server.threads.search({ metadata, select: [] });
    expect(whole).to.include.keys("thread_id", "created_at", "updated_at", "metadata", "status");
    const empty = aMark();
    await make(empty);
    const of = { metadata: empty, select: ["status", "values"] as const };
    expect(await server.threads.search({ ...of, select: [...of.select] })).to.deep.equal([
      { status: "idle", values: {} },
    ]);
  });

  it("counts what a search would find", async () => {
    const mark = aMark();
    await make({ ...mark, user: "u1" });
    await make({ ...mark, user: "u2" });
    expect(await server.threads.count({ metadata: mark })).to.equal(2);
    expect(await server.threads.count({ metadata: { ...mark, user: "u1" } })).to.equal(1);
    expect(await server.threads.count({ metadata: mark, status: "error" })).to.equal(0);
    expect(await server.threads.count()).to.be.at.least(2);
  });

  for (const query of [
    { limit: 0 },
    { limit: 1001 },
    { limit: 1.5 },
    { offset: -1 },
    { status: "sleeping" },
    { sort_by: "metadata" },
    { sort_order: "up" },
    { metadata: "x" },
    { ids: ["x"] },
  ])
    it(`refuses the search ${JSON.stringify(query)}`, async () => {
      const refused = await rejection(server.threads.search(untyped(query)));
      expect(refused).to.be.instanceOf(Unprocessable);
    });
}
