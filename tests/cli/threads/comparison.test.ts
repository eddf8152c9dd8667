import { expect } from "chai";
import { firstDifference, firstRounded } from "../../../cli/threads/comparison";
import { essentialOf } from "../../../cli/threads/messages";
import { hasUnfinishedTasks } from "../../../cli/threads/conversation";

const message = { type: "human", id: "m1", content: "hi" };
const DIFFERENT: [what: string, copied: object, found: object, place: string][] = [
  ["a message that came twice", [message], [message, message], " (2 instead of 1)"],
  ["a message that is gone", { of: [message] }, { of: [] }, "of (0 instead of 1)"],
  ["a member that is missing", { a: { b: 1 } }, { a: {} }, "a.b"],
  ["a member too many", { a: {} }, { a: { b: 1 } }, "a.b"],
  ["the content of a message", [message], [{ ...message, content: "ho" }], "[0].content"],
];

describe("the comparison of a copied thread", () => {
  for (const [what, copied, found, place] of DIFFERENT)
    it(`names ${what}`, () => expect(firstDifference(copied, found)).to.equal(place));

  it("can't see that a number was rounded, so it is named", () => {
    const notes = [
      '{"a": [0, {"id": 1234567890123456789}]}',
      '{"a": 1e400}',
      '{"a": 9007199254740991}',
    ];
    const places = notes.map((text) => firstRounded(JSON.parse(text)));
    expect(places).to.deep.equal(["a[1].id", "a", undefined]);
  });

  it("takes for equal what servers show in different ways: null, and the empty members of a message", () => {
    const shown = [{ ...message, name: null, example: false, additional_kwargs: {} }];
    expect(firstDifference({ messages: [message], a: null }, { messages: shown })).to.equal(
      undefined,
    );
  });

  it("keeps the content of a message that is empty, which a server asks for", () => {
    for (const content of ["", []])
      expect(essentialOf({ ...message, content, name: null })).to.deep.equal({
        ...message,
        content,
      });
  });

  it("is not refused for a next node that has not begun, but for a run that is at work or waits", () => {
    const isRefused = (status: string, task: object) =>
      hasUnfinishedTasks(status, { tasks: [task] });
    expect(isRefused("interrupted", { interrupts: [], result: null })).to.equal(false);
    expect(isRefused("interrupted", { interrupts: [{ value: "Go on?" }] })).to.equal(true);
    expect(isRefused("busy", {})).to.equal(true);
  });
});
