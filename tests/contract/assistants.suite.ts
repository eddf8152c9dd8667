import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { Conflict, type CreateAssistant, NotFound, Unprocessable } from "pulumi-agentserver/sdk";
import { defaultAssistantId } from "../../sdk/schema";
import { later } from "../support/later";
import { rejection } from "../support/rejection";
import { aMark, GRAPH, NOBODY, type Subject } from "./threads/subject";

export function assistantsSuite(server: Subject): void {
  const assistants = later(() => server.client.assistants);
  const anAssistant = (values: Partial<CreateAssistant> = {}) =>
    assistants.create({ ...GRAPH, ...values });

  it("creates an assistant with the id that the client chose, as version 1, and reads it back the same", async () => {
    const values = {
      ...GRAPH,
      name: "German",
      description: "tier 1",
      config: { tags: ["de"], recursion_limit: 7 },
      context: { prompt: "Hallo", nested: { list: [1, 2] } },
      metadata: aMark(),
    };
    const nothing = { ...GRAPH, description: null, config: {}, context: {}, metadata: {} };
    for (const [given, kept] of [
      [GRAPH, nothing],
      [values, values],
    ] as const) {
      const assistant_id = randomUUID();
      const created = await assistants.create({ assistant_id, ...given });
      expect(created).to.deep.include({ assistant_id, ...kept, version: 1 });
      expect(await assistants.get(assistant_id)).to.deep.equal(created);
    }
  });

  it("keeps values of `configurable`, which the Python server has in `context` too", async () => {
    const config = { tags: ["de"], configurable: { prompt: "Hallo" } };
    const created = await assistants.create({ ...GRAPH, config });
    expect(created.config["tags"]).to.deep.equal(["de"]);
    expect(created.config["configurable"] ?? created.context).to.deep.equal({ prompt: "Hallo" });
  });

  it("does not check a context against the graph's schema", async () => {
    const context = { temperature: "not a number" };
    const created = await assistants.create({ ...GRAPH, context });
    expect(created.context).to.deep.equal(context);
  });

  it("refuses an id that is taken, or returns what has it, unchanged", async () => {
    const first = await assistants.create({ ...GRAPH, name: "first", context: { a: 1 } });
    const again = { ...GRAPH, assistant_id: first.assistant_id, name: "second" };
    expect(await rejection(assistants.create(again))).to.be.instanceOf(Conflict);
    expect(await assistants.create({ ...again, if_exists: "do_nothing" })).to.deep.equal(first);
  });

  it("refuses null for what it keeps", async () => {
    for (const member of ["metadata", "config"]) {
      const { status } = await server.send("POST", "/assistants", { ...GRAPH, [member]: null });
      expect(status, member).to.be.oneOf([400, 422]);
    }
  });

  it("has a default assistant for its graph, of an id that is known", async () => {
    const assistant = await assistants.get(defaultAssistantId("agent"));
    expect(assistant).to.deep.include({ ...GRAPH, name: "agent" });
    expect(assistant.metadata).to.include({ created_by: "system" });
  });

  it("deletes an assistant with its versions, and gives its id again", async () => {
    const { assistant_id } = await assistants.create({ ...GRAPH });
    await assistants.update(assistant_id, { name: "renamed" });
    await assistants.delete(assistant_id);
    for (const request of [
      () => assistants.get(assistant_id),
      () => assistants.versions(assistant_id),
      () => assistants.update(assistant_id, { name: "gone" }),
      () => assistants.delete(assistant_id),
    ])
      expect(await rejection(request())).to.be.instanceOf(NotFound);
    expect((await assistants.create({ ...GRAPH, assistant_id })).version).to.equal(1);
  });

  it("leaves its threads, or deletes them with it", async () => {
    const { threads } = server;
    for (const deleteThreads of [false, true]) {
      const { assistant_id } = await assistants.create({ ...GRAPH });
      // The built-in server runs nothing, and the Python one accepts this member from runs alone.
      const { thread_id } = await threads.create({ metadata: { ...GRAPH, assistant_id } });
      if (server.kind !== "built-in")
        await server.client.runs.wait(thread_id, { assistant_id, input: { messages: [] } });
      await assistants.delete(assistant_id, { deleteThreads });
      const left = await threads.get(thread_id).catch((error: unknown) => error);
      expect(left instanceof NotFound).to.equal(deleteThreads);
    }
  });

  it("says 404 to an id that it does not have, and refuses one that is not a UUID", async () => {
    const { crons } = server.client;
    const versions = Array.fromAsync(assistants.listVersions(NOBODY));
    expect(await rejection(versions)).to.be.instanceOf(NotFound);
    expect(await rejection(assistants.get(NOBODY))).to.be.instanceOf(NotFound);
    expect(await rejection(assistants.get("nobody"))).to.satisfy(
      (error: Error) => error instanceof Unprocessable || error instanceof NotFound,
    );
    expect(await crons.count({ assistant_id: NOBODY })).to.equal(0);
  });

  it("creates a version with each update, even an empty one", async () => {
    const { assistant_id } = await anAssistant({ name: "one" });
    for (const [body, version] of [
      [{ name: "two" }, 2],
      [{}, 3],
      [{ name: "two" }, 4],
    ] as const)
      expect((await assistants.update(assistant_id, body)).version).to.equal(version);
  });

  it("keeps what an update leaves out", async () => {
    const values = { name: "one", description: "text", config: { tags: ["t"] }, context: { a: 1 } };
    const { assistant_id } = await anAssistant(values);
    const updated = await assistants.update(assistant_id, { name: "two" });
    expect(updated).to.deep.include({ ...values, name: "two" });
  });

  it("replaces config and context together, and clears both", async () => {
    const { assistant_id } = await anAssistant({ config: { tags: ["t"] }, context: { a: 1 } });
    const changes = { config: { recursion_limit: 5 }, context: { a: 2 } };
    expect(await assistants.update(assistant_id, changes)).to.deep.include(changes);
    expect(await assistants.update(assistant_id, { context: { c: 3 } })).to.deep.include({
      config: {},
      context: { c: 3 },
    });
    await assistants.update(assistant_id, { config: {}, context: {} });
    const { body } = await server.send("GET", `/assistants/${assistant_id}`);
    // As the graph sees it: the client leaves out what repeats the context.
    expect(body).to.deep.include({ context: {} });
    expect([undefined, {}]).to.deep.include(Object(body).config.configurable);
  });

  it("goes from context to `configurable` and back", async () => {
    const { assistant_id } = await anAssistant({ context: { a: 1 } });
    const older = await assistants.update(assistant_id, { config: { configurable: { a: 2 } } });
    expect(older.config["configurable"] ?? older.context).to.deep.equal({ a: 2 });
    const newer = await assistants.update(assistant_id, { context: { a: 3 } });
    expect(newer).to.deep.include({ config: {}, context: { a: 3 } });
  });

  it("merges metadata one level deep, and keeps a key that becomes null", async () => {
    const metadata = { a: 1, b: { c: 1 }, d: 1 };
    const { assistant_id } = await anAssistant({ metadata });
    const changes = { metadata: { b: { e: 2 }, d: null } };
    const updated = await assistants.update(assistant_id, changes);
    expect(updated.metadata).to.deep.equal({ a: 1, b: { e: 2 }, d: null });
  });

  it("takes an empty description for none", async () => {
    const { assistant_id } = await anAssistant({ description: "text" });
    const updated = await assistants.update(assistant_id, { description: "" });
    expect(updated.description).to.equal(null);
  });

  it("takes updates at once, of which each is a version", async () => {
    const { assistant_id } = await anAssistant();
    const updates = [1, 2, 3, 4].map((n) => assistants.update(assistant_id, { name: `n${n}` }));
    const versions = (await Promise.all(updates)).map(({ version }) => version);
    expect(versions).to.have.members([2, 3, 4, 5]);
  });

  const ofThree = async () => {
    const { assistant_id } = await assistants.create({ ...GRAPH, context: { n: 1 } });
    for (const n of [2, 3]) await assistants.update(assistant_id, { context: { n } });
    return assistant_id;
  };

  it("lists versions with the values that each had, newest first", async () => {
    const id = await ofThree();
    const versions = await assistants.versions(id);
    const shown = versions.map(({ version, context }) => `${version} ${String(context["n"])}`);
    expect(shown).to.deep.equal(["3 3", "2 2", "1 1"]);
    expect(await assistants.versions(id, { limit: 1, offset: 1 })).to.deep.equal([versions[1]]);
  });

  it("has no page after the last version, and the client asks for none", async () => {
    const { assistant_id: id } = await assistants.create({ ...GRAPH });
    for (let version = 2; version <= 100; version += 1) await assistants.update(id, {});
    expect(await rejection(assistants.versions(id, { offset: 100 }))).to.be.instanceOf(NotFound);
    const versions = await Array.fromAsync(assistants.listVersions(id), ({ version }) => version);
    expect(versions).to.have.length(100).and.to.include.members([1, 100]);
  });

  it("puts an earlier version in use, after which the next one is the highest plus one", async () => {
    const id = await ofThree();
    expect((await assistants.setLatest(id, 1)).version).to.equal(1);
    expect((await assistants.get(id)).version).to.equal(1);
    expect((await assistants.update(id, { name: "next" })).version).to.equal(4);
    expect(await rejection(assistants.setLatest(id, 9))).to.be.instanceOf(NotFound);
  });

  it("finds assistants by graph, a part of the name and metadata, newest first", async () => {
    const metadata = aMark();
    const [one, two] = [
      await assistants.create({ ...GRAPH, name: "Support EN", metadata }),
      await assistants.create({ ...GRAPH, name: "Support DE", metadata: { ...metadata, x: 1 } }),
    ];
    expect(await assistants.search({ ...GRAPH, metadata })).to.have.deep.members([two, one]);
    expect(await assistants.search({ metadata, name: "port de" })).to.deep.equal([two]);
    expect(await assistants.search({ metadata: { ...metadata, x: 1 } })).to.deep.equal([two]);
    expect(await assistants.count({ metadata })).to.equal(2);
  });

  it("pages until a page is short", async () => {
    const metadata = aMark();
    const created = await Promise.all(
      Array.from({ length: 103 }, () => assistants.create({ ...GRAPH, metadata })),
    );
    const all = Array.fromAsync(assistants.searchAll({ metadata }), ({ assistant_id: id }) => id);
    expect(new Set(await all)).to.deep.equal(new Set(created.map(({ assistant_id: id }) => id)));
  });
}
