import { expect } from "chai";
import { UNKNOWN } from "../../../../provider/arguments/props";
import { changesBetween } from "../../../../provider/adapters/native/detailed-diff";

const changes = (olds: object, news: object) =>
  Object.fromEntries(changesBetween({ ...olds }, { ...news }));

describe("the detailed diff of the native provider", () => {
  it("names each value that changes by its path, as Pulumi writes it", () => {
    const olds = { env: { A: "1", "a.b": "1", gone: "1" }, list: [1, { x: 1 }], same: { y: [] } };
    const news = { env: { A: "2", "a.b": "2", new: "1" }, list: [1, { x: 2 }, 3], same: { y: [] } };
    expect(changes(olds, news)).to.deep.equal({
      "env.A": "update",
      'env["a.b"]': "update",
      "env.gone": "delete",
      "env.new": "add",
      "list[1].x": "update",
      "list[2]": "add",
    });
  });

  it("takes null for absence, and what is not known yet for a change", () => {
    expect(changes({ a: null }, {})).to.deep.equal({});
    expect(changes({ a: null, b: 1 }, { a: 1, b: null })).to.deep.equal({ a: "add", b: "delete" });
    expect(changes({}, { a: null, b: { c: null } })).to.deep.equal({ b: "add" });
    const expected = { a: "update", c: "add" };
    expect(changes({ a: { b: 1 } }, { a: UNKNOWN, c: UNKNOWN })).to.deep.equal(expected);
  });
});
