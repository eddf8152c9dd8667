import { expect } from "chai";
import { describeExpectation, type Expectation } from "../../../provider/gate/expectation";
import { verdictOf } from "../../../provider/gate/verdict";
import type { RunValues } from "../../../sdk";

const human = { type: "human", content: "Where is order 7?" };
const ai = (content: string | unknown[]) => ({ type: "ai", content });
const answering = (content: string | unknown[]): RunValues => ({ messages: [human, ai(content)] });
const CONTAINS_7 = { contains: "order 7" };

const EXPRESSION = { matches: String.raw`^Order \d+$` };
const PAID = { path: "order.paid", equals: true };
const CANCELLED = "no answer: the last message is of type 'human': Where is order 7?";
const FAILED = { ...answering("order 7"), __error__: { error: "ValueError", message: "boom" } };
const BROKEN_OFF = { ...answering("order 7"), __interrupt__: [] };
const [BOOM, BROKEN] = ["the run failed: ValueError: boom", "the run was interrupted: []"];
const BLOCKS = [{ type: "text", text: "order " }, { type: "tool_use" }, "7"];
const MEMBERS = { path: "order", equals: { id: 7, items: [1] } };
const VERDICTS: [string, RunValues, Expectation, isPass: boolean, came: string][] = [
  ["a part of the text", answering("An order 7."), CONTAINS_7, true, "An order 7."],
  ["another text", answering("Which?"), CONTAINS_7, false, "Which?"],
  ["another case", answering("Order 7"), CONTAINS_7, false, "Order 7"],
  ["the whole text", answering("Yes.\n"), { equals: "Yes." }, true, "Yes.\n"],
  ["more than that", answering("Yes. No."), { equals: "Yes." }, false, "Yes. No."],
  ["an expression", answering("Order 12"), EXPRESSION, true, "Order 12"],
  ["blocks of a text", answering(BLOCKS), CONTAINS_7, true, "order 7"],
  ["a run that failed, with an answer", FAILED, CONTAINS_7, false, BOOM],
  ["a failure without words", { __error__: "boom" }, CONTAINS_7, false, "the run failed: boom"],
  ["a run that was interrupted, with an answer", BROKEN_OFF, CONTAINS_7, false, BROKEN],
  ["a cancelled run", { messages: [ai("order 7"), human] }, CONTAINS_7, false, CANCELLED],
  ["no messages", {}, CONTAINS_7, false, "no answer: the state has no messages"],
  ["a value of a state", { order: [{ id: "a" }] }, { path: "order[0].id", equals: "a" }, true, "a"],
  ["the last", { steps: ["one", "two"] }, { path: "$.steps[-1]", matches: "^two$" }, true, "two"],
  ["a value of another type", { order: { paid: true } }, PAID, true, "true"],
  ["another value of the state", { order: { paid: false } }, PAID, false, "false"],
  ["an equal value", { order: { items: [1], id: 7 } }, MEMBERS, true, '{"items":[1],"id":7}'],
  ["any value at a path", { order: { id: 0 } }, { path: "order.id" }, true, "0"],
  ["no value at a path", { order: {} }, { path: "order.id" }, false, "nothing"],
  ["a name in a list", { order: [{ id: 7 }] }, { path: "order.id" }, false, "nothing"],
  ["a member that all objects have", { order: {} }, { path: "order.toString" }, false, "nothing"],
  ["a cancelled run's", { messages: [human], order: 7 }, { path: "order" }, false, CANCELLED],
];

describe("the verdict on a run", () => {
  for (const [title, values, expectation, isPass, came] of VERDICTS)
    it(`${isPass ? "passes" : "does not pass"} ${title}`, () => {
      expect(verdictOf(values, expectation)).to.deep.equal({ isPass, came });
    });

  it("names what was expected", () => {
    expect(describeExpectation(CONTAINS_7)).to.equal('an answer that contains "order 7"');
    expect(describeExpectation({ matches: "^a$" })).to.equal("an answer that matches /^a$/");
    expect(describeExpectation({ path: "order.id" })).to.equal("order.id in the state");
    expect(describeExpectation({ equals: "Yes." })).to.equal('an answer that equals "Yes."');
    expect(describeExpectation({ path: "order.id", equals: 7 })).to.equal(
      "that order.id of the state equals 7",
    );
  });
});
