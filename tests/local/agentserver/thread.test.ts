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

  it("gets new members of metadata by PATCH, one level deep", async () => {
    const { thread_id, created_at } = await server.create({ metadata: { a: { x: 1 }, b: 1 } });
    const { status, body } = await server.send("PATCH", `/threads/${thread_id}`, {
      metadata: { a: { y: 2 }, c: null },
    });
    expect(status).to.equal(200);
    expect(body).to.deep.include({ metadata: { a: { y: 2 }, b: 1, c: null }, created_at });
    const { body: stored } = await server.send("GET", `/threads/${thread_id}`);
    expect(stored).to.deep.equal(body);
  });

  it("is gone with its history after DELETE", async () => {
    const { thread_id } = await server.create({ supersteps: CONVERSATION });
    const path = `/threads/${thread_id}`;
    expect(await server.send("DELETE", path)).to.include({ status: 204, body: undefined });
    expect((await server.send("DELETE", path)).status).to.equal(404);
    expect((await server.send("GET", `${path}/state`)).status).to.equal(404);
    await server.create({ thread_id });
    expect(await server.history(thread_id)).to.deep.equal([]);
  });

  for (const [method, path] of [
    ["GET", ""],
    ["PATCH", ""],
    ["DELETE", ""],
    ["POST", "/copy"],
    ["GET", "/state"],
    ["GET", `/state/${UNKNOWN}`],
    ["POST", "/history"],
    ["GET", "/history"],
  ] as const) {
    const body = method === "GET" ? undefined : {};

    it(`says 404 to ${method} /threads/{id}${path} of an unknown thread`, async () => {
      const answer = await server.send(method, `/threads/${UNKNOWN}${path}`, body);
      expect(answer.status).to.equal(404);
      expect(answer.body).to.deep.equal({ detail: `Thread with ID ${UNKNOWN} not found` });
    });

    it(`says 422 to ${method} /threads/{id}${path} of an id that is no uuid`, async () => {
      const answer = await server.send(method, `/threads/not-a-uuid${path}`, body);
      expect(answer.status).to.equal(422);
      expect(answer.body).to.deep.equal({ detail: "Invalid thread ID: must be a UUID" });
    });
  }
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
    expect(body).to.have.property("thread_id").that.is.a("string");
    const copyId = idOf(body);
    const original = JSON.stringify(await server.history(thread_id));
    const copied = JSON.stringify(await server.history(copyId));
    expect(copied).to.equal(original.replaceAll(thread_id, copyId));
  });

  it("makes the copy independent: it stays when the original goes", async () => {
    const { thread_id } = await server.create({ supersteps: CONVERSATION });
    const copyId = idOf((await server.send("POST", `/threads/${thread_id}/copy`)).body);
    const before = await server.history(copyId);
    await server.send("PATCH", `/threads/${thread_id}`, { metadata: { changed: true } });
    await server.send("DELETE", `/threads/${thread_id}`);
    expect(await server.history(copyId)).to.deep.equal(before);
    expect((await server.send("GET", `/threads/${copyId}`)).body).to.deep.include({ metadata: {} });
  });
});

function idOf(body: unknown): string {
  if (typeof body !== "object" || body === null || !("thread_id" in body)) return "";
  return String(body.thread_id);
}
