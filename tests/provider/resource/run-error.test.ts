import { expect } from "chai";
import { runError } from "../../../provider/resource/run-error";

describe("provider/resource/run-error", () => {
  it("says nothing that a terminal or Pulumi's CLI obeys", () => {
    const { message } = runError("get deployment: 409 \x1b[1mtaken<{%reset%}>\nby 'x'");
    expect(message).to.equal("get deployment: 409 \\x1b[1mtaken<\\{%reset%}>\nby 'x'");
  });
});
