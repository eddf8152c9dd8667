import { expect } from "chai";
import { CONVERSATION, superstep, useAgentServer } from "./support";

describe("agent server: state and history", () => {
  const server = useAgentServer();
  const aConversation = () =>
    server.create({ metadata: { graph_id: "agent" }, supersteps: CONVERSATION });

  it("has nulls for the state of an empty thread", async () => {
    const { thread_id } = await server.create();
    const { status, body } = await server.send("GET", `/threads/${thread_id}/state`);
    expect(status).to.equal(200);
    expect(body).to.deep.equal({
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
  });

  it("makes a checkpoint of each superstep, the newest first, with the steps of a real server", async () => {
    const { thread_id } = await aConversation();
    const history = await server.history(thread_id);
    const steps = history.map(({ metadata, next }) => [
      metadata?.["source"],
      metadata?.["step"],
      next,
    ]);
    expect(steps).to.deep.equal([
      ["update", 1, []],
      ["update", 0, ["agent"]],
      ["input", -1, ["__start__"]],
    ]);
  });

  it("says in each state's metadata what the contract names", async () => {
    const { thread_id } = await aConversation();
    const [newest] = await server.history(thread_id);
    expect(newest?.metadata).to.deep.include({
      thread_id,
      checkpoint_id: newest?.checkpoint_id,
      graph_id: "agent",
      parents: {},
    });
    expect(newest?.metadata).to.have.nested.property("writes.agent.mood", "friendly");
    expect(newest?.metadata).to.have.nested.property("writes.agent.messages[0].content", "hi");
  });

  it("names each state and its parent in both forms", async () => {
    const { thread_id } = await aConversation();
    const history = await server.history(thread_id);
    for (const [index, state] of history.entries()) {
      const parentId = history[index + 1]?.checkpoint_id ?? null;
      expect(state.checkpoint_id).to.be.a("string");
      expect(state.checkpoint).to.deep.equal({
        thread_id,
        checkpoint_ns: "",
        checkpoint_id: state.checkpoint_id,
      });
      expect(state.parent_checkpoint_id).to.equal(parentId);
      expect(state.parent_checkpoint?.checkpoint_id ?? null).to.equal(parentId);
    }
  });

  it("answers the newest of the history as the state, and each of it at its checkpoint", async () => {
    const { thread_id } = await aConversation();
    const history = await server.history(thread_id);
    expect(await server.state(thread_id)).to.deep.equal(history[0]);
    for (const state of history)
      expect(await server.state(thread_id, state.checkpoint_id ?? "")).to.deep.equal(state);
    expect(history[1]?.values).to.have.property("messages").with.length(1);
    expect(history[2]?.values).to.deep.equal({});
  });

  it("answers the state at a checkpoint that an object names", async () => {
    const { thread_id } = await aConversation();
    const [, wanted] = await server.history(thread_id);
    const path = `/threads/${thread_id}/state/checkpoint`;
    const { checkpoint } = wanted ?? {};
    expect(await server.send("POST", path, { checkpoint })).to.deep.include({
      status: 200,
      body: wanted,
    });
    expect((await server.send("POST", path, {})).status).to.equal(422);
  });

  it("answers an empty state with the asked id for a checkpoint that the thread does not have", async () => {
    const { thread_id } = await aConversation();
    const other = await server.create({ supersteps: [superstep("agent", { secret: 1 })] });
    const foreign = (await server.state(other.thread_id)).checkpoint_id ?? "";
    const state = await server.state(thread_id, foreign);
    expect(state).to.deep.include({ values: {}, created_at: null, checkpoint_id: foreign });
  });

  it("answers one state of the history to POST and ten to GET unless a limit is given", async () => {
    const supersteps = Array.from({ length: 12 }, (_, turn) => superstep("agent", { turn }));
    const { thread_id } = await server.create({ supersteps });
    const path = `/threads/${thread_id}/history`;
    expect((await server.send("POST", path, {})).body).to.have.length(1);
    expect((await server.send("POST", path)).body).to.have.length(1);
    expect((await server.send("GET", path)).body).to.have.length(10);
    expect((await server.send("GET", `${path}?limit=3`)).body).to.have.length(3);
    expect((await server.send("POST", path, { limit: 1000 })).body).to.have.length(12);
  });

  it("answers what came before a checkpoint, named in either form", async () => {
    const { thread_id } = await aConversation();
    const [newest, ...older] = await server.history(thread_id);
    const before = newest?.checkpoint_id ?? "";
    const asObject = { configurable: { checkpoint_id: before } };
    expect(await server.history(thread_id, { limit: 10, before })).to.deep.equal(older);
    expect(await server.history(thread_id, { limit: 10, before: asObject })).to.deep.equal(older);
    const { body } = await server.send("GET", `/threads/${thread_id}/history?before=${before}`);
    expect(body).to.deep.equal(older);
  });

  it("answers the states whose metadata matches", async () => {
    const { thread_id } = await aConversation();
    const history = await server.history(thread_id);
    const find = (metadata: object) => server.history(thread_id, { limit: 10, metadata });
    expect(await find({ step: 0 })).to.deep.equal([history[1]]);
    expect(await find({ writes: { agent: { mood: "friendly" } } })).to.deep.equal([history[0]]);
    expect(await find({ thread_id, graph_id: "agent" })).to.deep.equal(history);
    expect(await find({ step: "0" })).to.deep.equal([]);
  });

  for (const body of [
    { limit: 0 },
    { limit: 1001 },
    { limit: "5" },
    { before: 5 },
    { metadata: [] },
  ])
    it(`refuses the history of ${JSON.stringify(body)} with 422`, async () => {
      const { thread_id } = await aConversation();
      const { status } = await server.send("POST", `/threads/${thread_id}/history`, body);
      expect(status).to.equal(422);
    });

  it("refuses a limit in the address that is no number", async () => {
    const { thread_id } = await aConversation();
    const { status } = await server.send("GET", `/threads/${thread_id}/history?limit=many`);
    expect(status).to.equal(422);
  });
});
