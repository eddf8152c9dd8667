import { expect } from "chai";
import { CONVERSATION, superstep, useAgentServer } from "./support";

const NAMELESS = { updates: [{ values: {} }] };
const TYPELESS = superstep("agent", { messages: [{ content: "who?" }] });
const ENDLESS = `{"metadata":${'{"a":'.repeat(5000)}1${"}".repeat(5000)}}`;

describe("agent server: threads, state and history", () => {
  const server = useAgentServer();

  it("answers an empty state with the asked id for a checkpoint of another thread", async () => {
    const { thread_id } = await server.create({ supersteps: CONVERSATION });
    const other = await server.create({ supersteps: [superstep("agent", { secret: 1 })] });
    const foreign = (await server.state(other.thread_id)).checkpoint_id ?? "";
    const state = await server.state(thread_id, foreign);
    expect(state).to.deep.include({ values: {}, created_at: null, checkpoint_id: foreign });
  });

  it("takes `limit` and `before` of a history in the query, and refuses a limit that is not a number", async () => {
    const { thread_id } = await server.create({ supersteps: CONVERSATION });
    const read = (query: string) => server.send("GET", `/threads/${thread_id}/history?${query}`);
    const [newest, ...older] = await server.history(thread_id);
    expect((await read(`before=${newest?.checkpoint_id}`)).body).to.deep.equal(older);
    expect((await read("limit=2")).body).to.deep.equal([newest, older[0]]);
    expect((await read("limit=many")).status).to.equal(422);
  });

  it("copies no state of an empty thread, writes its first, and answers its name in each form that clients read", async () => {
    const { thread_id } = await server.create();
    const path = `/threads/${thread_id}/state`;
    const copied = await server.send("POST", path, { values: null, as_node: "__copy__" });
    const detail = "Cannot copy a non-existent checkpoint";
    expect(copied).to.deep.include({ status: 422, body: { detail } });
    const { status, body } = await server.send("POST", path, { values: { mood: "new" } });
    const { checkpoint, checkpoint_id, ...state } = await server.state(thread_id);
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ checkpoint, configurable: checkpoint, checkpoint_id });
    expect(state).to.deep.include({ values: { mood: "new" }, parent_checkpoint: null });
    expect(state.metadata).to.have.nested.property("writes.__start__.mood", "new");
  });

  it("writes a state after a checkpoint as its node, where the request names none", async () => {
    const { thread_id } = await server.create({ supersteps: CONVERSATION });
    const [, question] = await server.history(thread_id);
    const values = { messages: [{ type: "human", content: "hello?" }] };
    const { checkpoint_id } = question ?? {};
    await server.send("POST", `/threads/${thread_id}/state`, { values, checkpoint_id });
    const { metadata, parent_checkpoint } = await server.state(thread_id);
    expect(parent_checkpoint).to.deep.include({ checkpoint_id });
    expect(metadata?.["writes"]).to.have.keys("__start__");
  });

  it("answers an empty create with 200 and no config", async () => {
    const { status, body } = await server.send("POST", "/threads", {});
    expect(status).to.equal(200);
    expect(body).to.not.have.property("config");
  });

  for (const [what, body, detail] of [
    ["a superstep without updates", { supersteps: [{ updates: [] }] }, /^supersteps\.0\.updates: /],
    ["an update without node", { supersteps: [NAMELESS] }, /^supersteps\.0\.updates\.0\.as_node: /],
    ["a message without type", { supersteps: [TYPELESS] }, /^supersteps\.0\..*\.type/],
    ["a body that is no object", [], /object/],
    ["malformed JSON", "{", /^Invalid JSON in request body$/],
    ["JSON that is nested without end", ENDLESS, /nested deeper than 100 levels/],
  ] as const)
    it(`refuses ${what} with 422 and its place`, async () => {
      const answer = await server.send("POST", "/threads", body);
      expect(answer.status).to.equal(422);
      expect(answer.body).to.have.property("detail").that.matches(detail);
      expect((await server.send("POST", "/threads/count", {})).body).to.equal(0);
    });
});
