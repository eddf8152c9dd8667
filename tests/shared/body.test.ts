import { expect } from "chai";
import { textWithin } from "../../shared/body";

describe("the text of a body", () => {
  const sent = { count: 0, isLeft: false };
  async function* body(chunks: number) {
    try {
      for (sent.count = 0; sent.count < chunks; sent.count += 1) yield Buffer.from("ä");
    } finally {
      sent.isLeft = sent.count < chunks;
    }
  }

  it("is read whole up to the limit in bytes, and not at all where there is none", async () => {
    expect(await textWithin(6, body(3))).to.equal("äää");
    expect(await textWithin(6, null)).to.equal("");
  });

  it("is undefined beyond it, and no more is read", async () => {
    expect(await textWithin(6, body(1_000_000))).to.equal(undefined);
    expect(sent).to.deep.equal({ count: 3, isLeft: true });
  });
});
