import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { expect } from "chai";
import { answerOf } from "../../../../lab/faults/wire";
import { REPOSITORY } from "../../../../scripts/project";

describe("the process of the native provider", () => {
  it("serves at the port that it prints, and ends when the engine that has started it is gone", async () => {
    const main = join(REPOSITORY, "dist/provider/adapters/native/main.js");
    const child = spawn(process.execPath, [main, "127.0.0.1:1"], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const [port] = await once(createInterface(child.stdout), "line");
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
    const info = await answerOf<PluginInfo>((done) => client.getPluginInfo(new Empty(), done));
    expect(info.getVersion()).not.to.equal("");
    client.close();
    const ended = once(child, "exit");
    child.stdin.end();
    expect((await ended)[0]).to.equal(0);
  });
});
