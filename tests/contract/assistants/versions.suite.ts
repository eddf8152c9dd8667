import { expect } from "chai";
import { NotFound } from "pulumi-agentserver/sdk";
import { rejection } from "../../support/rejection";
import { GRAPH, NOBODY, type Subject } from "../threads/subject";

/** Versions of assistants. */
export function versionsSuite(server: Subject): void {
  const ofThree = async () => {
    const { assistants } = server.client;
    const { assistant_id } = await assistants.create({ ...GRAPH, context: { n: 1 } });
    for (const n of [2, 3]) await assistants.update(assistant_id, { context: { n } });
    return assistant_id;
  };

  it("lists versions with the values that each had, newest first", async () => {
    const id = await ofThree();
    const versions = await server.client.assistants.versions(id);
    expect(versions.map(({ version, context }) => [version, context["n"]])).to.deep.equal([
      [3, 3],
      [2, 2],
      [1, 1],
    ]);
    expect(await server.client.assistants.versions(id, { limit: 1, offset: 1 })).to.deep.equal([
      versions[1],
    ]);
  });

  it("has no page after the last version, which the client takes for the end", async () => {
    const { assistants } = server.client;
    const { assistant_id } = await assistants.create({ ...GRAPH });
    for (let version = 2; version <= 100; version += 1) await assistants.update(assistant_id, {});
    expect(await rejection(assistants.versions(assistant_id, { offset: 100 }))).to.be.instanceOf(
      NotFound,
    );
    const versions: number[] = [];
    for await (const { version } of assistants.listVersions(assistant_id)) versions.push(version);
    expect(versions).to.have.length(100).and.to.include.members([1, 100]);
  });

  it("has no versions of an assistant that does not exist", async () => {
    const versions = server.client.assistants.listVersions(NOBODY);
    const all = async () => {
      for await (const _ of versions);
    };
    expect(await rejection(all())).to.be.instanceOf(NotFound);
  });

  it("puts an earlier version in use, after which the next one is the highest plus one", async () => {
    const { assistants } = server.client;
    const id = await ofThree();
    expect((await assistants.setLatest(id, 1)).version).to.equal(1);
    expect((await assistants.get(id)).version).to.equal(1);
    expect((await assistants.update(id, { name: "next" })).version).to.equal(4);
    expect(await rejection(assistants.setLatest(id, 9))).to.be.instanceOf(NotFound);
  });

  it("goes back exactly by an update with the values of a version", async () => {
    const { assistants } = server.client;
    const first = { name: "a", description: "b", config: { tags: ["c"] }, context: { d: 1 } };
    const { assistant_id } = await assistants.create({ ...GRAPH, ...first });
    const second = { name: "e", description: "", config: { recursion_limit: 3 }, context: {} };
    await assistants.update(assistant_id, second);
    const [, listed] = await assistants.versions(assistant_id);
    expect(listed).to.deep.include(first);
    const { name, description, config, context } = listed ?? first;
    const back = { name, description: description ?? "", config, context };
    expect(await assistants.update(assistant_id, back)).to.deep.include({ ...first, version: 3 });
  });
}
