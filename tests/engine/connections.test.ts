import { credentials, Server, ServerCredentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { GetRootResourceRequest } from "@pulumi/pulumi/proto/engine_pb";
import { expect } from "chai";
import { connectByItself, connectionOptions } from "../support/engine-connections";

describe("the connection of an inline program to its engine", () => {
  before(connectByItself);

  const listen = (server: Server, port = 0) =>
    new Promise<number>((resolve, reject) => {
      const address = `127.0.0.1:${port}`;
      server.bindAsync(address, ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      );
    });
  /** The result of a call to a server that serves nothing. */
  const answerAt = (port: number) => {
    const client = new EngineClient(
      `127.0.0.1:${port}`,
      credentials.createInsecure(),
      connectionOptions(),
    );
    return new Promise<string>((resolve) =>
      // Pulumi's SDK leaves its clients open too.
      client.getRootResource(new GetRootResourceRequest(), (error) =>
        resolve(error?.message ?? ""),
      ),
    );
  };

  it("is made where an engine that has ended had the same port", async () => {
    const [before, after] = [new Server(), new Server()];
    const port = await listen(before);
    expect(await answerAt(port)).to.contain("UNIMPLEMENTED");
    before.forceShutdown();
    for (const _ of [1, 2]) expect(await answerAt(port)).not.to.contain("UNIMPLEMENTED");
    await listen(after, port);
    expect(await answerAt(port)).to.contain("UNIMPLEMENTED");
    after.forceShutdown();
  });
});
