import { expect } from "chai";
import { CONVERSATION, useAgentServer } from "./support";

const UNKNOWN = "11111111-1111-4111-8111-111111111111";

describe("agent server: one thread", () => {
  const server = useAgentServer();

  it("is answered without values, with its metadata and an empty config", async () => {
    const created = await server.create({
      metadata: { graph_id: "agent" },
      supersteps: CONVERSATION,
    });
    const { status, body } = await server.send("GET", `/threads/${created.thread_id}`);
    const { values, ...thread } = created;
    expect(status).to.equal(200);
    expect(values).to.have.property("mood");
    expect(body).to.deep.equal(thread);
  });

  it("is named in a 404 when it is unknown; an id must be a UUID, else 422", async () => {
    for (const [id, status, detail] of [
      [UNKNOWN, 404, `Thread with ID ${UNKNOWN} not found`],
      ["not-a-uuid", 422, "Invalid thread ID: must be a UUID"],
    ] as const)
      for (const path of [`/threads/${id}`, `/threads/${id}/history`])
        expect(await server.send("GET", path)).to.deep.include({ status, body: { detail } });
  });
});
