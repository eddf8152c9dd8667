import { expect } from "chai";
import {
  hasUnfinishedTasks,
  readConversation,
  roundedNote,
} from "../../../cli/threads/conversation";
import { AgentServer } from "../../../sdk";
import { json, useServers } from "../../support/http";

const AT = "2026-01-01T00:00:00Z";
const THREAD = { thread_id: "t", status: "idle", metadata: {}, created_at: AT, updated_at: AT };

describe("a conversation that is read", () => {
  const serve = useServers();

  it("has what each node wrote, leaves out and counts other branches, and is asked for in pages of 8 MiB", async () => {
    const [written, pad] = [{ a: 1, b: 2 }, "x".repeat(3 * 1024 * 1024)];
    const writes = { one: { a: 1 }, two: { b: 2 } };
    const state = (id: string, parent: string, values: object, metadata = {}) => {
      return { checkpoint_id: id, parent_checkpoint_id: parent, values, metadata };
    };
    const states = [
      state("4", "3", written, { source: "fork", pad }),
      state("left", "1", { a: 9 }),
      state("3", "1", written, { writes }),
      state("1", "", {}, { source: "input" }),
    ];
    const limits: number[] = [];
    const { url } = await serve(({ body }, response) => {
      const { limit, before } = JSON.parse(body);
      limits.push(limit);
      const last = before?.configurable.checkpoint_id;
      const from = states.findIndex(({ checkpoint_id }) => checkpoint_id === last) + 1;
      json(response, 200, states.slice(from, from + limit));
    });
    const read = await readConversation(new AgentServer({ url }), THREAD);
    const nodes = Object.entries(writes).map(([node, values]) => ({ node, values }));
    expect(read.steps).to.deep.equal([[{ node: "__input__", values: {} }], nodes]);
    expect(read.other_states).to.equal(1);
    expect(limits).to.deep.equal([1, 2, 10]);
    const rounded = roundedNote({ ...read, steps: [[{ values: { id: 2 ** 60 } }]] });
    expect(rounded).to.contain("steps[0][0].values.id may be rounded");
  });

  it("has unfinished tasks where it waits with others of its step that are done", () => {
    const areUnfinished = (task: object) => hasUnfinishedTasks("interrupted", { tasks: [task] });
    expect([{ result: {} }, { interrupts: [] }].map(areUnfinished)).to.deep.equal([true, false]);
  });
});
