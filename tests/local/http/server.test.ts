import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { createHttpServer } from "../../../local/http/server";
import { closeNow, listen } from "../front";

/** A request whose headers never end, and what is answered to it until the connection is closed. */
async function halfOpen(port: number): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write("GET /v2/deployments HTTP/1.1\r\nHost: localhost\r\n");
  return text(socket);
}

describe("local/http/server", () => {
  it("closes a connection whose headers do not end in a minute, and no request or response that goes on", async () => {
    const server = createHttpServer({ headersTimeout: 50, connectionsCheckingInterval: 10 });
    server.on("request", (incoming, outgoing) => {
      outgoing.write("first ");
      incoming.on("data", (chunk) => outgoing.write(chunk));
      incoming.on("end", () => outgoing.end("last"));
    });
    const port = Number(new URL(await listen(server)).port);
    const going = request({ port, host: "127.0.0.1", method: "POST" });
    going.write("body ");
    const [response] = await once(going, "response");
    expect(await halfOpen(port)).to.contain("408 Request Timeout");
    going.end("end ");
    expect(await text(response)).to.equal("first body end last");
    closeNow(server);
    expect(createHttpServer()).to.include({ headersTimeout: 60_000, requestTimeout: 0 });
  });
});
