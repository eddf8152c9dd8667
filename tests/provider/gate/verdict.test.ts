import { expect } from "chai";
import { describeExpectation, type Expectation } from "../../../provider/gate/expectation";
import { type Verdict, verdictOf } from "../../../provider/gate/verdict";
import type { RunValues } from "../../../sdk";

const human = { type: "human", content: "Where is order 7?" };
const ai = (content: string | unknown[]) => ({ type: "ai", content });
const answering = (content: string | unknown[]): RunValues => ({ messages: [human, ai(content)] });
const CONTAINS_7 = { contains: "order 7" };

/** What a run comes to, by what a server answers with 200. */
const VERDICTS: readonly [string, RunValues, Expectation, Verdict][] = [
  [
    "a part of the text",
    answering("Your order 7 is on its way."),
    CONTAINS_7,
    { isPass: true, came: "Your order 7 is on its way." },
  ],
  ["another text", answering("Which?"), CONTAINS_7, { isPass: false, came: "Which?" }],
  ["another case", answering("Order 7"), CONTAINS_7, { isPass: false, came: "Order 7" }],
  ["the whole text", answering("Yes.\n"), { equals: "Yes." }, { isPass: true, came: "Yes.\n" }],
  [
    "more than that",
    answering("Yes. No."),
    { equals: "Yes." },
    { isPass: false, came: "Yes. No." },
  ],
  [
    "an expression",
    answering("Order 12"),
    { matches: String.raw`^Order \d+$` },
    { isPass: true, came: "Order 12" },
  ],
  [
    "blocks of a text",
    answering([{ type: "text", text: "order " }, { type: "tool_use" }, "7"]),
    CONTAINS_7,
    { isPass: true, came: "order 7" },
  ],
  [
    "a run that failed, though an answer is there",
    { ...answering("order 7"), __error__: { error: "ValueError", message: "boom" } },
    CONTAINS_7,
    { isPass: false, came: "the run failed: ValueError: boom" },
  ],
  [
    "a run that failed without a message",
    { __error__: "boom" },
    CONTAINS_7,
    { isPass: false, came: "the run failed: boom" },
  ],
  [
    "a run that was interrupted, though an answer is there",
    { ...answering("order 7"), __interrupt__: [] },
    CONTAINS_7,
    { isPass: false, came: "the run was interrupted: []" },
  ],
  [
    "a run that was cancelled",
    { messages: [ai("order 7"), human] },
    CONTAINS_7,
    { isPass: false, came: "no answer: the last message is of type 'human': Where is order 7?" },
  ],
  [
    "a state without messages",
    {},
    CONTAINS_7,
    { isPass: false, came: "no answer: the state has no messages" },
  ],
  [
    "a value of the state",
    { order: { items: [{ sku: "a" }] } },
    { path: "order.items[0].sku", equals: "a" },
    { isPass: true, came: "a" },
  ],
  [
    "the last of a list",
    { steps: ["one", "two"] },
    { path: "$.steps[-1]", matches: "^two$" },
    { isPass: true, came: "two" },
  ],
  [
    "a value of another type",
    { order: { paid: true } },
    { path: "order.paid", equals: true },
    { isPass: true, came: "true" },
  ],
  [
    "another value of the state",
    { order: { paid: false } },
    { path: "order.paid", equals: true },
    { isPass: false, came: "false" },
  ],
  [
    "an equal value of several members",
    { order: { items: [1], id: 7 } },
    { path: "order", equals: { id: 7, items: [1] } },
    { isPass: true, came: '{"items":[1],"id":7}' },
  ],
  ["any value at a path", { order: { id: 0 } }, { path: "order.id" }, { isPass: true, came: "0" }],
  ["no value at a path", { order: {} }, { path: "order.id" }, { isPass: false, came: "nothing" }],
  [
    "a member that all objects have",
    { order: {} },
    { path: "order.toString" },
    { isPass: false, came: "nothing" },
  ],
  [
    "a value of the state, of a run that was cancelled",
    { messages: [human], order: { id: 7 } },
    { path: "order.id" },
    { isPass: false, came: "no answer: the last message is of type 'human': Where is order 7?" },
  ],
];

describe("the verdict on a run", () => {
  for (const [title, values, expectation, verdict] of VERDICTS)
    it(`${verdict.isPass ? "passes" : "does not pass"} ${title}`, () => {
      expect(verdictOf(values, expectation)).to.deep.equal(verdict);
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
