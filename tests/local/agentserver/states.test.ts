import { expect } from "chai";
import { CONVERSATION, superstep, useAgentServer } from "./support";

describe("agent server: state and history", () => {
  const server = useAgentServer();
  const aConversation = () =>
    server.create({ metadata: { graph_id: "agent" }, supersteps: CONVERSATION });

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
    const [, third, ...older] = await server.history(thread_id);
    const before = `${path}?before=${third?.checkpoint_id}`;
    expect((await server.send("GET", before)).body).to.deep.equal(older);
  });

  it("refuses a limit in the address that is not a number", async () => {
    const { thread_id } = await aConversation();
    const { status } = await server.send("GET", `/threads/${thread_id}/history?limit=many`);
    expect(status).to.equal(422);
  });
});

describe("agent server: writing a state", () => {
  const server = useAgentServer();

  it("is the first state of an empty thread", async () => {
    const { thread_id } = await server.create();
    await server.send("POST", `/threads/${thread_id}/state`, { values: { mood: "new" } });
    const state = await server.state(thread_id);
    expect(state).to.deep.include({ values: { mood: "new" }, parent_checkpoint: null });
    expect(state.metadata).to.have.nested.property("writes.__start__.mood", "new");
  });

  it("answers the new state's name in each form that clients read", async () => {
    const { thread_id } = await server.create();
    const { status, body } = await server.send("POST", `/threads/${thread_id}/state`, {});
    const { checkpoint, checkpoint_id } = await server.state(thread_id);
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ checkpoint, configurable: checkpoint, checkpoint_id });
  });

  it("names a state in a 404 that the thread does not have", async () => {
    const { thread_id } = await server.create();
    const path = `/threads/${thread_id}/state`;
    const { status, body } = await server.send("POST", path, { checkpoint_id: "1f1e547c" });
    expect(status).to.equal(404);
    expect(body).to.have.property("detail").that.contains("has no checkpoint 1f1e547c");
  });
});
