import { expect } from "chai";
import { parseThreadSearch, refusal } from "../../../local/page/thread-search";

describe("parseThreadSearch", () => {
  it("reads pairs, quoted or not, and values that are JSON", () => {
    const text = 'user=ada tier=2 vip=true "a name"="two words" empty=';
    const named = { "a name": "two words", empty: "" };
    const { metadata } = parseThreadSearch(text);
    expect(metadata).to.deep.equal({ user: "ada", tier: 2, vip: true, ...named });
  });

  it("takes the beginning or the end of an id, beside metadata too", () => {
    const search = parseThreadSearch("user=ada 0199F3a1-77 c0ffee123456");
    const ids = ["0199f3a1-77", "c0ffee123456"];
    expect(search).to.deep.equal({ metadata: { user: "ada" }, ids, refused: [] });
    expect(refusal(search)).to.equal(undefined);
  });
});
