import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { Conflict, NotFound, Unprocessable } from "pulumi-agentserver/sdk";
import { defaultAssistantId } from "../../../sdk/schema";
import { rejection } from "../../support/rejection";
import { aMark, GRAPH, NOBODY, type Subject } from "../threads/subject";

/** Creation and deletion of assistants. */
export function createSuite(server: Subject): void {
  it("creates an assistant with the id that the client chose, as version 1", async () => {
    const { assistants } = server.client;
    const assistant_id = randomUUID();
    const created = await assistants.create({ assistant_id, ...GRAPH });
    expect(created).to.deep.include({ assistant_id, ...GRAPH, version: 1 });
    expect(created).to.deep.include({ description: null, config: {}, context: {}, metadata: {} });
    expect(await assistants.get(assistant_id)).to.deep.equal(created);
  });

  it("keeps what a create sets, and reads it back the same", async () => {
    const values = {
      ...GRAPH,
      name: "German",
      description: "tier 1",
      config: { tags: ["de"], recursion_limit: 7 },
      context: { prompt: "Hallo", nested: { list: [1, 2] } },
      metadata: aMark(),
    };
    const { assistant_id } = await server.client.assistants.create(values);
    expect(await server.client.assistants.get(assistant_id)).to.deep.include(values);
  });

  it("keeps values of `configurable`, which the Python server has in `context` too", async () => {
    const config = { tags: ["de"], configurable: { prompt: "Hallo" } };
    const created = await server.client.assistants.create({ ...GRAPH, config });
    expect(created.config["tags"]).to.deep.equal(["de"]);
    expect(created.config["configurable"] ?? created.context).to.deep.equal({ prompt: "Hallo" });
  });

  it("does not check a context against the graph's schema", async () => {
    const context = { temperature: "not a number" };
    const created = await server.client.assistants.create({ ...GRAPH, context });
    expect(created.context).to.deep.equal(context);
  });

  it("refuses an id that is taken, or returns what has it, unchanged", async () => {
    const { assistants } = server.client;
    const first = await assistants.create({ ...GRAPH, name: "first", context: { a: 1 } });
    const again = { ...GRAPH, assistant_id: first.assistant_id, name: "second" };
    expect(await rejection(assistants.create(again))).to.be.instanceOf(Conflict);
    const found = await assistants.create({ ...again, if_exists: "do_nothing" });
    expect(found).to.deep.equal(first);
  });

  it("refuses null for what it keeps", async () => {
    for (const member of ["metadata", "config"]) {
      const { status } = await server.send("POST", "/assistants", { ...GRAPH, [member]: null });
      expect(status, member).to.be.oneOf([400, 422]);
    }
  });

  it("has a default assistant for its graph, of an id that is known", async () => {
    const assistant = await server.client.assistants.get(defaultAssistantId("agent"));
    expect(assistant).to.deep.include({ ...GRAPH, name: "agent" });
    expect(assistant.metadata).to.include({ created_by: "system" });
  });

  it("deletes an assistant with its versions, and gives its id again", async () => {
    const { assistants } = server.client;
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
    const { assistants, threads } = server.client;
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
    const { assistants, crons } = server.client;
    expect(await rejection(assistants.get(NOBODY))).to.be.instanceOf(NotFound);
    expect(await rejection(assistants.get("nobody"))).to.satisfy(
      (error: Error) => error instanceof Unprocessable || error instanceof NotFound,
    );
    expect(await crons.count({ assistant_id: NOBODY })).to.equal(0);
  });
}
