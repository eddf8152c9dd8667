import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { Conflict, Unprocessable } from "pulumi-agentserver/sdk";
import { contentsOf } from "../../support/agents";
import { rejection } from "../../support/rejection";
import { aConversation, ai, GRAPH, human, said, type Subject } from "./subject";
import { untyped } from "../../support/values";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function createSuite(server: Subject): void {
  it("makes an empty thread, which is idle and has no state", async () => {
    const beforeMs = Date.now();
    const made = await server.threads.create();
    expect(made.thread_id).to.match(UUID);
    expect(made).to.deep.include({ status: "idle", values: {}, metadata: {} });
    for (const time of [made.created_at, made.updated_at])
      expect(Date.parse(time), time).to.be.within(beforeMs - 60_000, Date.now() + 60_000);
    expect(await server.threads.state(made.thread_id)).to.deep.equal({
      values: {},
      next: [],
      tasks: [],
      metadata: {},
      created_at: null,
      checkpoint: null,
      parent_checkpoint: null,
      checkpoint_id: null,
      parent_checkpoint_id: null,
    });
    expect(await server.threads.history(made.thread_id, { limit: 10 })).to.deep.equal([]);
  });

  it("keeps metadata as it is given", async () => {
    const metadata = { user: "u1", nested: { list: [1, null, "ü"], "a.b": true }, graph_id: "any" };
    const { thread_id } = await server.threads.create({ metadata });
    expect((await server.threads.get(thread_id)).metadata).to.deep.equal(metadata);
  });

  it("creates a thread with the state of its supersteps, in order", async () => {
    const made = await aConversation(server);
    expect(made.status).to.equal("idle");
    expect(contentsOf(made.values)).to.deep.equal(["hello", "hi"]);
    const state = await server.threads.state(made.thread_id);
    expect(state).to.deep.include({ values: made.values, next: [] });
  });

  it("applies all updates of a superstep", async () => {
    const updates = [...said("agent", ai("b")).updates, ...said("agent", ai("c")).updates];
    const supersteps = [said("__start__", human("a")), { updates }];
    const { values } = await server.threads.create({ metadata: GRAPH, supersteps });
    expect(contentsOf(values)).to.deep.equal(["a", "b", "c"]);
  });

  it("gives messages an id and their default members, and keeps what they bring", async () => {
    const brought = { ...human("first"), id: "m1", name: "Ann", response_metadata: { a: 1 } };
    const { values } = await server.threads.create({
      metadata: GRAPH,
      supersteps: [said("__start__", brought), said("agent", ai("second"))],
    });
    const [first, second] = values?.messages ?? [];
    expect(first).to.deep.include({ ...brought, additional_kwargs: {} });
    expect(second?.id).to.match(UUID);
    const lists = { tool_calls: [], invalid_tool_calls: [] };
    expect(second).to.deep.include({ additional_kwargs: {}, response_metadata: {}, ...lists });
  });

  it("puts a message in the place of the one with its id", async () => {
    const supersteps = [
      said("__start__", { ...human("one"), id: "m1" }, human("two")),
      said("agent", { ...human("uno"), id: "m1" }, ai("three")),
    ];
    const { values } = await server.threads.create({ metadata: GRAPH, supersteps });
    expect(contentsOf(values)).to.deep.equal(["uno", "two", "three"]);
  });

  it("takes away the message that a message of type remove names", async () => {
    const supersteps = [
      said("__start__", { ...human("one"), id: "m1" }, human("two")),
      said("agent", { type: "remove", content: "", id: "m1" }, ai("three")),
    ];
    const { values } = await server.threads.create({ metadata: GRAPH, supersteps });
    expect(contentsOf(values)).to.deep.equal(["two", "three"]);
  });

  it("takes an id of the caller's own, once", async () => {
    const thread_id = randomUUID();
    expect((await server.threads.create({ thread_id })).thread_id).to.equal(thread_id);
    const again = await rejection(server.threads.create({ thread_id, if_exists: "raise" }));
    expect(again).to.be.instanceOf(Conflict);
    expect(again.message).to.contain("already exists");
  });

  it("answers the thread that is there, its metadata unchanged, when asked to do nothing", async () => {
    const { thread_id, ...first } = await aConversation(server, { user: "u1" });
    const request = { thread_id, if_exists: "do_nothing", metadata: { user: "u2" } } as const;
    const again = await server.threads.create(request);
    expect(again).to.deep.include({ thread_id, metadata: first.metadata });
    expect((await server.threads.state(thread_id)).values).to.deep.equal(first.values);
  });

  it("ignores members that it does not know", async () => {
    const answer = await server.send("POST", "/threads", { metadata: {}, colour: "red" });
    expect(answer.status).to.equal(200);
  });

  for (const [what, body] of [
    ["a bad id", { thread_id: "x" }],
    ["metadata that is no object", { metadata: 5 }],
    ["metadata that is null", { metadata: null }],
    ["supersteps that are no list", { supersteps: {} }],
    ["an unknown if_exists", { if_exists: "replace" }],
  ] as const)
    it(`refuses ${what}`, async () => {
      expect(await rejection(server.threads.create(untyped(body)))).to.be.instanceOf(Unprocessable);
    });
}
