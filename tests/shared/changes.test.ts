import { expect } from "chai";
import { changesBetween } from "../../shared/changes";

describe("the changes between two records", () => {
  it("are those of each value, by its whole path, and of a list as a whole", () =>
    expect(
      changesBetween(
        { a: { b: { c: 1, d: 1 } }, list: [1] },
        { a: { b: { c: 2, d: 1 } }, list: [1, 2], e: 1 },
      ),
    ).to.deep.equal([
      { path: "a.b.c", before: 1, after: 2 },
      { path: "list", before: [1], after: [1, 2] },
      { path: "e", before: undefined, after: 1 },
    ]));
});
