import { expect } from "chai";
import { codeOf, messageOf } from "../../shared/errors";

describe("whatever was thrown", () => {
  it("has its own message, not that of its cause, which may have secrets, and a code or none", () => {
    const cause = Object.assign(new Error("key-CANARY"), { code: "ECONNRESET" });
    const wrapped = new Error("create deployment 'a': no connection", { cause });
    expect(messageOf(wrapped)).to.equal("create deployment 'a': no connection");
    expect([messageOf("text"), messageOf(undefined)]).to.deep.equal(["text", "undefined"]);
    expect([codeOf(cause), codeOf(wrapped), codeOf("ECONNRESET")]).to.deep.equal([
      "ECONNRESET",
      "",
      "",
    ]);
  });
});
