import { expect } from "chai";
import { Unprocessable } from "pulumi-agentserver/sdk";
import { contentsOf } from "../../support/agents";
import { rejection } from "../../support/rejection";
import { aConversation, ai, NOBODY, type Subject } from "./subject";
import { untyped } from "../../support/values";

export function statesSuite(server: Subject): void {
  const conversation = async () => {
    const { thread_id: id } = await aConversation(server);
    return { id, history: await server.threads.history(id, { limit: 10 }) };
  };
  const write = (id: string, content: string, checkpoint?: { checkpoint_id: string | null }) =>
    server.threads.updateState(id, {
      values: { messages: [ai(content)] },
      as_node: "agent",
      ...(checkpoint && { checkpoint }),
    });
  const saidIn = async (id: string) => contentsOf((await server.threads.state(id)).values);

  it("makes a state of each superstep, the newest first, each with its step and what comes next", async () => {
    const { history } = await conversation();
    const steps = history.map(({ metadata: { source, step }, next }) => [source, step, ...next]);
    expect(steps.map(String)).to.deep.equal(["update,1", "update,0,agent", "input,-1,__start__"]);
    expect(history.map(({ values }) => values["messages"] ?? [])).to.satisfy(
      (lists: unknown[][]) => lists.map(({ length }) => length).join() === "2,1,0",
    );
  });

  it("names each state and its parent in both forms, by ids that grow with time", async () => {
    const { id, history } = await conversation();
    const ids = history.map(({ checkpoint_id }) => checkpoint_id ?? "");
    expect(ids).to.deep.equal(ids.toSorted().toReversed());
    for (const [index, state] of history.entries()) {
      const parentId = ids[index + 1] ?? null;
      expect(state.checkpoint).to.deep.include({ checkpoint_id: ids[index], thread_id: id });
      expect(state.parent_checkpoint_id).to.equal(parentId);
      expect(state.parent_checkpoint?.checkpoint_id ?? null).to.equal(parentId);
      expect(state.metadata).to.deep.include({ thread_id: id, parents: {} });
      expect(Date.parse(state.created_at ?? "")).to.be.greaterThan(0);
    }
  });

  it("answers the newest states first, each with its checkpoint and its step", async () => {
    const { id, history } = await conversation();
    expect(await server.threads.state(id)).to.deep.equal(history[0]);
    for (const state of history)
      expect(await server.threads.state(id, state.checkpoint_id ?? "")).to.deep.equal(state);
    expect(await server.threads.history(id)).to.deep.equal(history.slice(0, 1));
    expect(await server.threads.history(id, { limit: 2 })).to.deep.equal(history.slice(0, 2));
  });

  it("answers the state at a checkpoint that an object names", async () => {
    const { id, history } = await conversation();
    const checkpoint_id = history[1]?.checkpoint_id;
    const body = { checkpoint: { checkpoint_id, checkpoint_ns: "" } };
    const answer = await server.send("POST", `/threads/${id}/state/checkpoint`, body);
    expect(answer.status).to.equal(200);
    expect(answer.body).to.deep.include({ values: history[1]?.values, next: ["agent"] });
  });

  it("answers an empty state with the asked id for a checkpoint that the thread does not have", async () => {
    const { id } = await conversation();
    const state = await server.threads.state(id, NOBODY);
    expect(state).to.deep.include({ values: {}, created_at: null, checkpoint_id: NOBODY });
  });

  it("answers what came before a checkpoint, named in either form", async () => {
    const { id, history } = await conversation();
    const checkpoint_id = history[0]?.checkpoint_id ?? "";
    for (const before of [checkpoint_id, { configurable: { checkpoint_id } }])
      expect(await server.threads.history(id, { limit: 10, before })).to.deep.equal(
        history.slice(1),
      );
  });

  it("answers the state of a checkpoint alone, and none of one that is not there", async () => {
    const { id, history } = await conversation();
    const find = (checkpoint: object) => server.threads.history(id, { limit: 10, checkpoint });
    for (const state of history)
      expect(await find({ checkpoint_id: state.checkpoint_id })).to.deep.equal([state]);
    expect(await find({ checkpoint_id: NOBODY })).to.deep.equal([]);
    expect(await find({})).to.deep.equal(history);
  });

  it("answers the states whose metadata matches", async () => {
    const { id, history } = await conversation();
    const find = (metadata: object) =>
      server.threads.history(id, { limit: 10, metadata: { ...metadata } });
    expect(await find({ step: 0 })).to.deep.equal([history[1]]);
    expect(await find({ source: "update" })).to.deep.equal(history.slice(0, 2));
    expect(await find({ step: "0" })).to.deep.equal([]);
  });

  for (const query of [{ limit: "5" }, { before: 5 }, { metadata: [] }])
    it(`refuses the history of ${JSON.stringify(query)}`, async () => {
      const { id } = await conversation();
      const refused = await server.send("POST", `/threads/${id}/history`, query);
      expect(refused.status).to.be.oneOf([400, 422]);
      if (!("before" in query))
        expect(await rejection(server.threads.history(id, untyped(query)))).to.be.instanceOf(
          Unprocessable,
        );
    });

  it("adds what a node wrote after the newest state, and answers the new state's name", async () => {
    const { id } = await conversation();
    const { checkpoint_id, thread_id } = await write(id, "anything else?");
    expect(thread_id).to.equal(id);
    const state = await server.threads.state(id);
    expect(state).to.deep.include({ checkpoint_id, next: [] });
    expect(state.metadata).to.include({ source: "update", step: 2 });
    expect(contentsOf(state.values)).to.deep.equal(["hello", "hi", "anything else?"]);
  });

  it("adds it after an older state that is named, which is the newest from then on", async () => {
    const { id, history } = await conversation();
    const checkpoint_id = history[1]?.checkpoint_id ?? null;
    await write(id, "another answer", { checkpoint_id });
    expect(await saidIn(id)).to.deep.equal(["hello", "another answer"]);
    expect((await server.threads.state(id)).parent_checkpoint_id).to.equal(checkpoint_id);
    expect(await server.threads.history(id, { limit: 10 })).to.have.length(4);
  });

  for (const [what, at] of [
    ["the newest state", 0],
    ["the state that is named", 1],
  ] as const)
    it(`forks ${what} for the node __copy__: the same values and nodes to run, beside it`, async () => {
      const { id, history } = await conversation();
      const copied = history[at] ?? (await server.threads.state(id));
      const { checkpoint_id } = copied;
      const named = at === 0 ? {} : { checkpoint: { checkpoint_id } };
      await server.threads.updateState(id, { values: null, as_node: "__copy__", ...named });
      const { values, next, parent_checkpoint_id, metadata } = await server.threads.state(id);
      expect({ values, next, parent_checkpoint_id }).to.deep.equal({
        values: copied.values,
        next: copied.next,
        parent_checkpoint_id: copied.parent_checkpoint_id,
      });
      expect(metadata).to.include({ source: "fork", step: 2 - at });
      expect(await server.threads.history(id, { limit: 10 })).to.have.length(4);
    });

  it("takes the node that wrote last for the one that writes, when none is named", async () => {
    const { id } = await conversation();
    await server.threads.updateState(id, { values: { messages: [ai("and so on")] } });
    expect(await saidIn(id)).to.deep.equal(["hello", "hi", "and so on"]);
  });

  it("refuses a write of a value that is not an object", async () => {
    const { id } = await conversation();
    const refused = await rejection(server.threads.updateState(id, untyped({ values: 5 })));
    expect(refused).to.be.instanceOf(Unprocessable);
  });
}
