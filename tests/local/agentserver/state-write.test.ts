import { expect } from "chai";
import { AgentServer, NotFound } from "pulumi-agentserver/sdk";
import { rejection } from "../../support/rejection";
import { CONVERSATION, useAgentServer } from "./support";

describe("agent server: writing a state", () => {
  const server = useAgentServer();
  const threads = () => new AgentServer({ url: `http://127.0.0.1:${server.port()}` }).threads;
  const aConversation = () =>
    server.create({ metadata: { graph_id: "agent" }, supersteps: CONVERSATION });
  const contents = ({ values }: { values?: unknown }) =>
    Array.from<{ content: string }>(Object(values).messages).map(({ content }) => content);

  it("adds what a node wrote after the newest state, and answers the new state's name", async () => {
    const { thread_id } = await aConversation();
    const values = { messages: [{ type: "ai", content: "anything else?" }], mood: "eager" };
    const { checkpoint_id } = await threads().updateState(thread_id, { values, as_node: "agent" });
    const state = await server.state(thread_id);
    expect(state).to.deep.include({ checkpoint_id, next: [] });
    expect(state.values).to.include({ mood: "eager" });
    expect(contents(state)).to.deep.equal(["hello", "hi", "anything else?"]);
    expect(state.metadata).to.deep.include({ source: "update", step: 2, graph_id: "agent" });
  });

  it("goes on from an older state that is named, and is the newest from then on", async () => {
    const { thread_id } = await aConversation();
    const [, asked] = await server.history(thread_id);
    const values = { messages: [{ type: "ai", content: "another answer" }] };
    const checkpoint_id = asked?.checkpoint_id;
    await threads().updateState(thread_id, { values, checkpoint: { checkpoint_id } });
    const state = await server.state(thread_id);
    expect(state.parent_checkpoint_id).to.equal(checkpoint_id);
    expect(contents(state)).to.deep.equal(["hello", "another answer"]);
    expect(await server.history(thread_id)).to.have.length(4);
  });

  it("is the first state of an empty thread", async () => {
    const { thread_id } = await server.create();
    await threads().updateState(thread_id, { values: { mood: "new" } });
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

  it("does not reach a copy of the thread, nor the thread from its copy", async () => {
    const { thread_id } = await aConversation();
    const { thread_id: copyId } = await threads().copy(thread_id);
    await threads().updateState(thread_id, { values: { mood: "of the original" } });
    await threads().updateState(copyId, { values: { mood: "of the copy" } });
    for (const [id, mood] of [
      [thread_id, "of the original"],
      [copyId, "of the copy"],
    ] as const) {
      expect((await server.state(id)).values).to.include({ mood });
      expect(await server.history(id)).to.have.length(4);
    }
  });

  it("says 404 to an unknown thread and to a state that the thread does not have", async () => {
    const { thread_id } = await server.create();
    const nobody = "55555555-5555-4555-8555-555555555555";
    expect(await rejection(threads().updateState(nobody, {}))).to.be.instanceOf(NotFound);
    const unknown = threads().updateState(thread_id, { checkpoint_id: "1f1e547c" });
    expect((await rejection(unknown)).message).to.contain("has no checkpoint 1f1e547c");
  });
});
