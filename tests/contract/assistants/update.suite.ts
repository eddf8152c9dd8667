import { expect } from "chai";
import type { CreateAssistant } from "pulumi-agentserver/sdk";
import { GRAPH, type Subject } from "../threads/subject";

/** Changes of assistants. */
export function updateSuite(server: Subject): void {
  const anAssistant = (values: Partial<CreateAssistant> = {}) =>
    server.client.assistants.create({ ...GRAPH, ...values });

  it("creates a version with each update, even an empty one", async () => {
    const { assistants } = server.client;
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
    const updated = await server.client.assistants.update(assistant_id, { name: "two" });
    expect(updated).to.deep.include({ ...values, name: "two" });
  });

  it("replaces config and context together, and clears both", async () => {
    const { assistants } = server.client;
    const { assistant_id } = await anAssistant({
      config: { tags: ["t"] },
      context: { a: 1, b: 2 },
    });
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
    const { assistants } = server.client;
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
    const updated = await server.client.assistants.update(assistant_id, changes);
    expect(updated.metadata).to.deep.equal({ a: 1, b: { e: 2 }, d: null });
  });

  it("takes an empty description for none", async () => {
    const { assistant_id } = await anAssistant({ description: "text" });
    const updated = await server.client.assistants.update(assistant_id, { description: "" });
    expect(updated.description).to.equal(null);
  });

  it("takes updates at once, of which each is a version", async () => {
    const { assistants } = server.client;
    const { assistant_id } = await anAssistant();
    const updates = [1, 2, 3, 4].map((n) => assistants.update(assistant_id, { name: `n${n}` }));
    const versions = (await Promise.all(updates)).map(({ version }) => version);
    expect(versions).to.have.members([2, 3, 4, 5]);
  });
}
