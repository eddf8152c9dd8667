import { expect } from "chai";
import { NotFound, Unprocessable } from "pulumi-agentserver/sdk";
import { contentsOf } from "../../support/agents";
import { rejection } from "../../support/rejection";
import { aConversation, ai, NOBODY, type Subject } from "./subject";

export function threadSuite(server: Subject): void {
  it("keeps a thread until it is asked for again", async () => {
    const { thread_id, metadata, created_at, values } = await aConversation(server, { user: "u1" });
    const found = await server.threads.get(thread_id);
    expect(found).to.deep.include({ thread_id, metadata, created_at, status: "idle" });
    expect((await server.threads.state(thread_id)).values).to.deep.equal(values);
  });

  it("lays new metadata over the old, one level deep", async () => {
    const metadata = { a: { x: 1 }, b: 1, c: 1 };
    const { thread_id, created_at, updated_at } = await server.threads.create({ metadata });
    const changes = { metadata: { a: { y: 2 }, c: null } };
    const updated = await server.threads.update(thread_id, changes);
    expect(updated).to.deep.include({ metadata: { a: { y: 2 }, b: 1, c: null }, created_at });
    expect(Date.parse(updated.updated_at)).to.be.at.least(Date.parse(updated_at));
    expect(await server.threads.get(thread_id)).to.deep.equal(updated);
    expect((await server.threads.update(thread_id, {})).metadata).to.deep.equal(updated.metadata);
  });

  it("forgets a thread that is deleted, with its history", async () => {
    const { thread_id } = await aConversation(server);
    expect(await server.threads.delete(thread_id)).to.equal(undefined);
    for (const gone of [
      () => server.threads.get(thread_id),
      () => server.threads.state(thread_id),
      () => server.threads.delete(thread_id),
    ])
      expect(await rejection(gone())).to.be.instanceOf(NotFound);
    await server.threads.create({ thread_id });
    expect(await server.threads.history(thread_id, { limit: 10 })).to.deep.equal([]);
  });

  it("copies a thread with its metadata and its history, and each goes its own way", async () => {
    const { thread_id, metadata } = await aConversation(server, { user: "u1" });
    const copy = await server.threads.copy(thread_id);
    expect(copy.thread_id).not.to.equal(thread_id);
    expect(copy.status).to.equal("idle");
    expect(copy.metadata).to.include(metadata);
    const ids = async (id: string) =>
      (await server.threads.history(id, { limit: 10 })).map(({ checkpoint_id }) => checkpoint_id);
    const before = await ids(thread_id);
    expect(await ids(copy.thread_id)).to.deep.equal(before);

    const write = (id: string, content: string) =>
      server.threads.updateState(id, { values: { messages: [ai(content)] }, as_node: "agent" });
    await write(thread_id, "of the original");
    expect(await ids(copy.thread_id)).to.deep.equal(before);
    await write(copy.thread_id, "of the copy");
    await server.threads.delete(thread_id);
    const { values } = await server.threads.state(copy.thread_id);
    expect(contentsOf(values)).to.deep.equal(["hello", "hi", "of the copy"]);
  });

  const OPERATIONS: [string, (id: string) => Promise<unknown>][] = [
    ["reads", (id) => server.threads.get(id)],
    ["changes", (id) => server.threads.update(id, { metadata: {} })],
    ["deletes", (id) => server.threads.delete(id)],
    ["tells the state of", (id) => server.threads.state(id)],
    ["tells a former state of", (id) => server.threads.state(id, NOBODY)],
    ["writes the state of", (id) => server.threads.updateState(id, { values: {} })],
    ["tells the history of", (id) => server.threads.history(id)],
  ];

  for (const [does, operation] of OPERATIONS) {
    it(`${does} no thread that is not there`, async () => {
      expect(await rejection(operation(NOBODY))).to.be.instanceOf(NotFound);
    });

    it(`${does} no thread by an id that is not a UUID`, async () => {
      expect(await rejection(operation("not-a-uuid"))).to.be.instanceOf(Unprocessable);
    });
  }

  it("copies no thread by an id that is not a UUID", async () => {
    expect(await rejection(server.threads.copy("not-a-uuid"))).to.be.instanceOf(Unprocessable);
  });

  it("answers in JSON, without a version in its paths and without a key", async () => {
    const { status, headers } = await server.send("POST", "/threads/search", {});
    expect(status).to.equal(200);
    expect(headers.get("content-type")).to.match(/^application\/json/);
  });
}
