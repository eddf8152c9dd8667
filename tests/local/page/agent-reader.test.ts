import { expect } from "chai";
import { AgentReader } from "../../../local/page/agent-reader";
import { startServer } from "../../support/http";
import { rejection } from "../../support/rejection";

describe("the page's reader of an agent server", () => {
  it("gives up on a response that does not end, and closes it", async () => {
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const endless = await startServer((_, response) => {
      const send = (): void => {
        while (response.write("x".repeat(65_536)));
      };
      response.on("drain", send).on("close", end);
      send();
    });
    try {
      const { message } = await rejection(new AgentReader(endless.url, []).count({}));
      expect(message).to.equal("the response exceeds 33554432 bytes");
      await ended;
    } finally {
      await endless.close();
    }
  });
});
