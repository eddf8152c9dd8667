import { expect } from "chai";
import { aMark, GRAPH, type Subject } from "../threads/subject";

/** Searches for assistants. */
export function searchSuite(server: Subject): void {
  it("finds assistants by graph, a part of the name and metadata, newest first", async () => {
    const { assistants } = server.client;
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
    const { assistants } = server.client;
    const metadata = aMark();
    const created = await Promise.all(
      Array.from({ length: 103 }, () => assistants.create({ ...GRAPH, metadata })),
    );
    const found = new Set<string>();
    for await (const { assistant_id } of assistants.searchAll({ metadata }))
      found.add(assistant_id);
    expect(found).to.deep.equal(new Set(created.map(({ assistant_id }) => assistant_id)));
  });

  it("finds nothing where nothing matches", async () => {
    expect(await server.client.assistants.search({ metadata: aMark() })).to.deep.equal([]);
    expect(await server.client.assistants.count({ metadata: aMark() })).to.equal(0);
  });
}
