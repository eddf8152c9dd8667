import { expect } from "chai";
import { parseMetadata } from "../../../local/page/threads";

describe("parseMetadata", () => {
  it("reads pairs, quoted or not, and values that are JSON", () => {
    expect(parseMetadata('user=ada tier=2 vip=true "a name"="two words" empty=')).to.deep.equal({
      user: "ada",
      tier: 2,
      vip: true,
      "a name": "two words",
      empty: "",
    });
  });

  it("finds nothing in other text", () => {
    expect(parseMetadata("only words")).to.deep.equal({});
  });
});
