import { expect } from "chai";
import { CONVERSATION, superstep, useAgentServer } from "./support";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ID = "2222AAAA-0000-4000-8000-000000000001";

describe("agent server: POST /threads", () => {
  const server = useAgentServer();
  const total = async () => (await server.send("POST", "/threads/count", {})).body;

  it("answers an empty create with an idle thread, empty values and no config", async () => {
    const { status, body } = await server.send("POST", "/threads", {});
    expect(status).to.equal(200);
    expect(body).to.have.all.keys(
      "thread_id",
      "created_at",
      "updated_at",
      "metadata",
      "status",
      "values",
    );
    expect(body).to.deep.include({ status: "idle", metadata: {}, values: {} });
    expect(body).to.have.property("thread_id").that.matches(UUID);
    expect(body)
      .to.have.property("created_at")
      .that.matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it("takes a body without bytes for an empty object", async () => {
    expect((await server.send("POST", "/threads")).status).to.equal(200);
  });

  it("keeps metadata as it is given", async () => {
    const metadata = { user: "u1", nested: { list: [1, null, "ü\u0000"], "a.b": true } };
    const { thread_id } = await server.create({ metadata });
    expect((await server.send("GET", `/threads/${thread_id}`)).body).to.deep.include({ metadata });
  });

  it("answers with the state that the supersteps build", async () => {
    const { body } = await server.send("POST", "/threads", {
      metadata: { graph_id: "agent" },
      supersteps: CONVERSATION,
    });
    expect(body).to.have.nested.property("values.mood", "friendly");
    expect(body).to.have.nested.property("values.messages[0].content", "hello");
    expect(body).to.have.nested.property("values.messages[1].content", "hi");
    expect(body).to.deep.include({ status: "idle", config: {} });
  });

  it("takes supersteps without a graph id and of nodes that no graph is known to have", async () => {
    const { status } = await server.send("POST", "/threads", {
      supersteps: [superstep("a node of tomorrow", { x: 1 })],
    });
    expect(status).to.equal(200);
  });

  it("takes a thread id of its own, in any case of letters", async () => {
    const { thread_id } = await server.create({ thread_id: ID });
    expect(thread_id).to.equal(ID.toLowerCase());
    expect((await server.send("GET", `/threads/${ID}`)).status).to.equal(200);
  });

  it("refuses an id that is there", async () => {
    await server.create({ thread_id: ID });
    const { status, body } = await server.send("POST", "/threads", { thread_id: ID });
    expect(status).to.equal(409);
    expect(body).to.deep.equal({ detail: `Thread with ID ${ID.toLowerCase()} already exists` });
  });

  it("answers the unchanged thread that is there when asked to do nothing", async () => {
    const first = await server.create({ thread_id: ID, supersteps: CONVERSATION });
    const again = await server.create({
      thread_id: ID,
      if_exists: "do_nothing",
      metadata: { other: true },
      supersteps: [superstep("agent", { mood: "angry" })],
    });
    expect(again).to.deep.equal(first);
    expect(await server.history(first.thread_id)).to.have.length(3);
  });

  it("ignores members that it does not know", async () => {
    expect((await server.send("POST", "/threads", { ttl: 5, x: null })).status).to.equal(200);
  });

  it("leaves nothing behind when a superstep is wrong", async () => {
    const { status, body } = await server.send("POST", "/threads", {
      thread_id: ID,
      supersteps: [...CONVERSATION, superstep("agent", { messages: [{ content: "who?" }] })],
    });
    expect(status).to.equal(422);
    expect(body)
      .to.have.property("detail")
      .that.includes("supersteps.3.updates.0.values.messages.0.type");
    expect(await total()).to.equal(0);
  });

  it("gives no state to a thread of a graph that the server does not have", async () => {
    const metadata = { graph_id: "agnet" };
    const { status, body } = await server.send("POST", "/threads", {
      metadata,
      supersteps: CONVERSATION,
    });
    expect(status).to.equal(404);
    expect(body).to.deep.equal({ detail: "Graph 'agnet' not found; this server has: agent" });
    expect(await total()).to.equal(0);
    expect((await server.send("POST", "/threads", { metadata })).status).to.equal(200);
  });

  for (const [what, body, detail] of [
    ["a bad thread id", { thread_id: "x" }, /^Invalid thread ID: must be a UUID$/],
    ["metadata that is no object", { metadata: 5 }, /^metadata: /],
    ["metadata that is a list", { metadata: [] }, /^metadata: /],
    ["supersteps that are no list", { supersteps: {} }, /^supersteps: /],
    ["a superstep without updates", { supersteps: [{ updates: [] }] }, /^supersteps\.0\.updates: /],
    [
      "an update without node",
      { supersteps: [{ updates: [{ values: {} }] }] },
      /^supersteps\.0\.updates\.0\.as_node: /,
    ],
    ["an unknown if_exists", { if_exists: "replace" }, /^if_exists: /],
    ["a body that is no object", [], /object/],
    ["malformed JSON", "{", /^Invalid JSON in request body$/],
    [
      "JSON that is nested without end",
      `{"metadata":${'{"a":'.repeat(5000)}1${"}".repeat(5000)}}`,
      /nested deeper than 100 levels/,
    ],
  ] as const)
    it(`refuses ${what} with 422 and words`, async () => {
      const answer = await server.send("POST", "/threads", body);
      expect(answer.status).to.equal(422);
      expect(answer.body).to.have.property("detail").that.matches(detail);
      expect(await total()).to.equal(0);
    });
});

describe("agent server that was told no graphs", () => {
  const server = useAgentServer({ graphs: [] });

  it("gives state to a thread of any graph", async () => {
    const { values } = await server.create({
      metadata: { graph_id: "any" },
      supersteps: CONVERSATION,
    });
    expect(values).to.have.property("mood", "friendly");
  });
});
