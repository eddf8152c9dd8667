import { expect } from "chai";
import { AgentServer } from "pulumi-agentserver/sdk";
import { CONVERSATION, superstep, useAgentServer } from "../local/agentserver/support";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const FORKED = superstep("agent", { mood: "tired" });

describe("the contract of threads", () => {
  const server = useAgentServer();
  const client = () => new AgentServer({ url: `http://127.0.0.1:${server.port()}` }).threads;

  it("makes an empty thread, which is idle and has no state", async () => {
    const { thread_id, status, values, metadata, created_at, updated_at } = await client().create();
    expect(thread_id).to.match(UUID);
    expect([status, values, metadata]).to.deep.equal(["idle", {}, {}]);
    for (const time of [created_at, updated_at])
      expect(new Date(time).toISOString()).to.equal(time);
    expect((await client().get(thread_id)).values).to.equal(undefined);
  });

  it("makes a thread with the state of its supersteps, in order", async () => {
    const made = await client().create({
      metadata: { graph_id: "agent" },
      supersteps: [...CONVERSATION, FORKED],
    });
    expect(made.values).to.have.property("mood", "tired");
    const { messages } = Object(made.values);
    expect(messages.map(({ content }: { content: string }) => content)).to.deep.equal([
      "hello",
      "hi",
    ]);
    expect(await client().state(made.thread_id)).to.deep.include({ values: made.values, next: [] });
  });

  it("keeps a thread until it is asked for again", async () => {
    const { thread_id, values, ...made } = await client().create({ supersteps: CONVERSATION });
    expect(await client().get(thread_id)).to.deep.equal({ thread_id, ...made });
    expect((await client().state(thread_id)).values).to.deep.equal(values);
  });

  it("copies a thread with its history, and each goes its own way", async () => {
    const { thread_id } = await client().create({ supersteps: CONVERSATION });
    const copy = await client().copy(thread_id);
    const limit = 10;
    const ids = async (id: string) =>
      (await client().history(id, { limit })).map(({ checkpoint_id }) => checkpoint_id);
    expect(copy.thread_id).to.not.equal(thread_id);
    expect(await ids(copy.thread_id)).to.deep.equal(await ids(thread_id));
    await server.send("DELETE", `/threads/${thread_id}`);
    expect(await ids(copy.thread_id)).to.have.lengthOf(3);
  });

  it("finds the threads of a graph by their metadata", async () => {
    const { thread_id } = await client().create({ metadata: { graph_id: "agent", user: "u1" } });
    await client().create({ metadata: { graph_id: "other" } });
    const found = await client().search({ metadata: { graph_id: "agent" } });
    expect(found.map((thread) => thread.thread_id)).to.deep.equal([thread_id]);
  });

  it("answers no other members of the threads found than those selected", async () => {
    const { thread_id, values } = await client().create({ supersteps: CONVERSATION });
    const found = await client().search({ select: ["thread_id", "values"] });
    expect(found).to.deep.equal([{ thread_id, values }]);
  });

  it("finds threads by each status that there is", async () => {
    await client().create();
    for (const status of ["idle", "busy", "interrupted", "error"] as const)
      expect(await client().search({ status }), status).to.have.lengthOf(status === "idle" ? 1 : 0);
  });

  for (const sort_by of ["thread_id", "status", "created_at", "updated_at"] as const)
    it(`sorts a search by ${sort_by} in either order`, async () => {
      for (let count = 0; count < 3; count += 1) await client().create();
      const up = await client().search({ sort_by, sort_order: "asc" });
      const keys = up.map((thread) => thread[sort_by]);
      expect(keys).to.deep.equal(keys.toSorted());
      const down = await client().search({ sort_by, sort_order: "desc", limit: 2 });
      expect(down).to.deep.equal(up.toReversed().slice(0, 2));
    });

  it("answers the newest states first, each with its checkpoint and its step", async () => {
    const { thread_id } = await client().create({ supersteps: CONVERSATION });
    const [newest, ...older] = await client().history(thread_id, { limit: 2 });
    expect(older).to.have.lengthOf(1);
    expect(newest?.metadata).to.include({ step: 1, checkpoint_id: newest?.checkpoint_id });
    expect(older[0]?.metadata).to.include({ step: 0 });
    expect(newest).to.deep.equal(await client().state(thread_id));
    const before = older[0]?.checkpoint_id ?? "";
    expect(await client().state(thread_id, before)).to.deep.equal(older[0]);
    expect(newest?.parent_checkpoint_id).to.equal(before);
  });

  it("answers in JSON, without a version in its paths and without a key", async () => {
    const { status, headers } = await server.send("POST", "/threads/search", {});
    expect(status).to.equal(200);
    expect(headers.get("content-type")).to.match(/^application\/json/);
  });
});
