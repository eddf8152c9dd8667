import { expect } from "chai";
import { CONVERSATION, superstep, useAgentServer } from "./support";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

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

  it("takes supersteps without a graph id and of nodes that no graph is known to have", async () => {
    const { status } = await server.send("POST", "/threads", {
      supersteps: [superstep("a node of tomorrow", { x: 1 })],
    });
    expect(status).to.equal(200);
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
    ["metadata that is a list", { metadata: [] }, /^metadata: /],
    ["a superstep without updates", { supersteps: [{ updates: [] }] }, /^supersteps\.0\.updates: /],
    [
      "an update without node",
      { supersteps: [{ updates: [{ values: {} }] }] },
      /^supersteps\.0\.updates\.0\.as_node: /,
    ],
    [
      "a message without type",
      { supersteps: [...CONVERSATION, superstep("agent", { messages: [{ content: "who?" }] })] },
      /supersteps\.3\.updates\.0\.values\.messages\.0\.type/,
    ],
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

describe("agent server without graphs", () => {
  const server = useAgentServer({ graphs: [] });

  it("gives state to a thread of any graph", async () => {
    const { values } = await server.create({
      metadata: { graph_id: "any" },
      supersteps: CONVERSATION,
    });
    expect(values).to.have.property("mood", "friendly");
  });
});
