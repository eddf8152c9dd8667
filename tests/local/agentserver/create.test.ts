import { expect } from "chai";
import { superstep, useAgentServer } from "./support";

const NAMELESS = { updates: [{ values: {} }] };
const TYPELESS = superstep("agent", { messages: [{ content: "who?" }] });
const ENDLESS = `{"metadata":${'{"a":'.repeat(5000)}1${"}".repeat(5000)}}`;

describe("agent server: POST /threads", () => {
  const server = useAgentServer();

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
