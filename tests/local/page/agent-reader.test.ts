import { expect } from "chai";
import { AgentReader } from "../../../local/page/agent-reader";
import { startEndless } from "../front";
import { rejection } from "../../support/rejection";

describe("the page's reader of an agent server", () => {
  it("gives up on a response that does not end, and closes it", async () => {
    const endless = await startEndless();
    const { message } = await rejection(new AgentReader(endless.url, []).count({}));
    expect(message).to.equal("the response exceeds 33554432 bytes");
    await endless.ended;
    await endless.close();
  });
});
