import { expect } from "chai";
import { InvalidRequest } from "../../../local/agentserver/errors";
import { CreateThread } from "../../../sdk/schema/thread";
import { replay } from "../../../local/agentserver/supersteps";
import { superstep } from "./support";
import { recordOf } from "../../../shared/records";

const ORIGIN = { threadId: "t", graphId: undefined, now: new Date(0) };

const replayed = (supersteps: unknown[]) =>
  replay(CreateThread.parse({ supersteps }).supersteps ?? [], ORIGIN);

const built = (supersteps: unknown[]) => replayed(supersteps).at(-1)?.values;

const aMessage = (type: string, id?: string) => ({ type, content: type, ...(id && { id }) });

/** Ids of the messages that are left after a conversation of m1 and m2 took more of them. */
function left(...messages: object[]) {
  const begun = superstep("__start__", {
    messages: [aMessage("human", "m1"), aMessage("ai", "m2")],
  });
  return built([begun, superstep("agent", { messages })])?.messages?.map(({ id }) => id);
}

describe("agent server: supersteps", () => {
  it("remove the messages that those of type remove name, or all before the last __remove_all__, and refuse others", () => {
    expect(left(aMessage("remove", "m1"))).to.deep.equal(["m2"]);
    expect(left(aMessage("ai", "m3"), aMessage("remove", "m3"))).to.deep.equal(["m1", "m2"]);
    expect(left(aMessage("remove", "m1"), aMessage("human", "m1"))).to.deep.equal(["m1", "m2"]);
    const all = aMessage("remove", "__remove_all__");
    expect(left(aMessage("ai", "m3"), all, aMessage("ai", "m4"))).to.deep.equal(["m4"]);
    expect(left(all, aMessage("ai", "m3"), all)).to.deep.equal([]);
    for (const name of ["m9", ""])
      expect(() => left(aMessage("remove", name))).to.throw(
        InvalidRequest,
        `cannot remove message '${name}'`,
      );
  });

  it("keep what a message brings, its id and members that nobody knows included, and the names of an object's prototype as plain names", () => {
    const content = [{ type: "text", text: "x" }];
    const calls = { tool_calls: [{ id: "c", name: "f", args: {} }], invalid_tool_calls: [] };
    const lists = { additional_kwargs: { a: 1 }, response_metadata: { b: 2 }, ...calls };
    const known = { type: "ai", id: "m1", content, name: "bot", example: true, ...lists };
    const brought = { ...known, usage_metadata: { total_tokens: 3 }, custom: "kept" };
    expect(built([superstep("agent", { messages: [brought] })])?.messages).to.deep.equal([brought]);
    const nodes = ["__proto__", "toString"];
    const history = replayed(nodes.map((node) => superstep(node, { constructor: 1 })));
    const writers = history.map(({ metadata }) => Object.keys(recordOf(metadata["writes"])));
    expect(writers).to.deep.equal([["__proto__"], ["toString"]]);
    expect(history.at(-1)?.values).to.deep.equal({ constructor: 1 });
  });

  it("give a message the members that it lacks, and one of an AI more of them", () => {
    const [human, ai] = [aMessage("human", "m1"), aMessage("ai", "m2")];
    const all = { additional_kwargs: {}, response_metadata: {}, name: null, example: false };
    const calls = { tool_calls: [], invalid_tool_calls: [], usage_metadata: null };
    expect(built([superstep("agent", { messages: [human, ai] })])?.messages).to.deep.equal([
      { ...human, ...all },
      { ...ai, ...all, ...calls },
    ]);
  });

  it("add messages in order, overwrite every other key, and say what each node wrote; start with step 0 when there is no input, and name the nodes that follow", () => {
    const said = (content: string) => ({ messages: [{ type: "human", content }] });
    const writes = [
      ["b", { ...said("2"), x: 1, y: 1 }],
      ["c", { list: [3] }],
      ["b", { ...said("3"), x: 2 }],
    ];
    const [first, last] = replayed([
      superstep("a", { ...said("1"), list: [1, 2], kept: true }),
      { updates: writes.map(([as_node, values]) => ({ as_node, values })) },
    ]);
    expect(first?.values.messages?.map(({ content }) => content)).to.deep.equal(["1"]);
    expect(last?.values.messages?.map(({ content }) => content)).to.deep.equal(["1", "2", "3"]);
    expect(last?.values).to.deep.include({ list: [3], kept: true, x: 2, y: 1 });
    const { b, ...others } = recordOf(last?.metadata["writes"]);
    expect(b).to.include({ x: 2, y: 1 });
    expect(b).to.have.nested.property("messages[1].content", "3");
    expect(others).to.deep.equal({ c: { list: [3] } });
    const history = replayed([
      superstep("__start__", {}),
      { updates: ["left", "right", "right"].map((as_node) => ({ as_node, values: {} })) },
      superstep("end", {}),
    ]);
    expect(history.map(({ metadata, next }) => [metadata.step, next])).to.deep.equal([
      [0, ["left", "right"]],
      [1, ["end"]],
      [2, []],
    ]);
  });
});
