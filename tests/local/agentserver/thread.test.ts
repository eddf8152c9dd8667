import { expect } from "chai";
import { Thread } from "../../../sdk/schema/thread";
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

  it("is gone after DELETE, which answers 204 without a body", async () => {
    const path = `/threads/${(await server.create()).thread_id}`;
    expect(await server.send("DELETE", path)).to.include({ status: 204, body: undefined });
    expect((await server.send("GET", path)).status).to.equal(404);
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

describe("agent server: POST /threads/{id}/copy", () => {
  const server = useAgentServer();

  it("answers a new thread with the original's metadata, without values", async () => {
    const metadata = { graph_id: "agent", user: "u1" };
    const { thread_id } = await server.create({ metadata, supersteps: CONVERSATION });
    const { status, body } = await server.send("POST", `/threads/${thread_id}/copy`);
    expect(status).to.equal(200);
    expect(body).to.deep.include({ metadata, status: "idle", config: {} });
    expect(body).to.have.property("thread_id").that.is.not.equal(thread_id);
    expect(body).not.to.have.property("values");
  });

  it("gives the copy the same history, with the same checkpoint ids, as its own", async () => {
    const { thread_id } = await server.create({ supersteps: CONVERSATION });
    const { body } = await server.send("POST", `/threads/${thread_id}/copy`, {});
    const { thread_id: copyId } = Thread.parse(body);
    const original = JSON.stringify(await server.history(thread_id));
    const copied = JSON.stringify(await server.history(copyId));
    expect(copied).to.equal(original.replaceAll(thread_id, copyId));
  });
});
