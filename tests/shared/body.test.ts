import { expect } from "chai";
import { textWithin } from "../../shared/body";

describe("the text of a body", () => {
  const bodyOf = (chunks: number) => {
    const sent = { count: 0, isClosed: false };
    async function* body() {
      try {
        for (; sent.count < chunks; sent.count += 1) yield Buffer.from("ä");
      } finally {
        sent.isClosed = true;
      }
    }
    return { sent, body: body() };
  };

  it("is read whole up to the limit in bytes, and not at all where there is none", async () => {
    expect(await textWithin(6, bodyOf(3).body)).to.equal("äää");
    expect(await textWithin(6, null)).to.equal("");
  });

  it("is undefined beyond it, and no more is read", async () => {
    const { sent, body } = bodyOf(1_000_000);
    expect(await textWithin(6, body)).to.equal(undefined);
    expect(sent).to.deep.equal({ count: 3, isClosed: true });
  });
});
