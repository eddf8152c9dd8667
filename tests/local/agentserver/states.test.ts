import { expect } from "chai";
import { Thread } from "../../../sdk/schema/thread";
import { parsed } from "../../support/values";
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
    expect(state.checkpoint).to.include({ thread_id, checkpoint_id: foreign });
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
    expect(metadata).to.have.property("writes").that.has.keys("__start__");
    const updates = ["left", "right"].map((as_node) => ({ as_node, values: {} }));
    const two = await server.create({ metadata: { graph_id: "agent" }, supersteps: [{ updates }] });
    await server.send("POST", `/threads/${two.thread_id}/state`, { values });
    const state = await server.state(two.thread_id);
    expect(state.metadata).to.have.property("writes").that.has.keys("right");
    expect(state.metadata).to.include({ graph_id: "agent", checkpoint_id: state.checkpoint_id });
  });

  it("writes after the checkpoint of the object, where the request names two", async () => {
    const { thread_id } = await server.create({ supersteps: CONVERSATION });
    const [newest, older] = await server.history(thread_id);
    const { checkpoint_id } = older ?? {};
    const named = { checkpoint: { checkpoint_id }, checkpoint_id: newest?.checkpoint_id };
    await server.send("POST", `/threads/${thread_id}/state`, { values: {}, ...named });
    expect(await server.state(thread_id)).to.include({ parent_checkpoint_id: checkpoint_id });
  });

  it("says in the metadata of each state of a copy which thread it is of, and in those of a fork which state", async () => {
    const { thread_id } = await server.create({ supersteps: CONVERSATION });
    const { body } = await server.send("POST", `/threads/${thread_id}/copy`);
    const copy = parsed(Thread, body).thread_id;
    const path = `/threads/${copy}/state`;
    await server.send("POST", path, { values: null, as_node: "__copy__" });
    const [fork, ...copied] = await server.history(copy);
    for (const { metadata } of copied) expect(metadata).to.include({ thread_id: copy });
    const { checkpoint_id } = fork ?? {};
    expect(fork?.metadata).to.deep.include({ thread_id: copy, checkpoint_id, writes: {} });
  });

  it("takes JSON of 100 levels", async () => {
    const deep = `{"metadata":${'{"a":'.repeat(98)}{}${"}".repeat(98)}}`;
    expect((await server.send("POST", "/threads", deep)).status).to.equal(200);
    const deeper = deep.replace("{}", '{"a":{}}');
    expect((await server.send("POST", "/threads", deeper)).status).to.equal(422);
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
