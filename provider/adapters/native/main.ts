import * as grpc from "@grpc/grpc-js";
import * as service from "@pulumi/pulumi/proto/engine_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { connectTo } from "../../resource/engine-log";
import { providerService } from "./service";

const OPTIONS = {
  "grpc.max_receive_message_length": -1,
  "grpc.max_send_message_length": -1,
  // Its statistics are not read, and take a twentieth of the time of a call.
  "grpc.enable_channelz": 0,
};

/** Serves the native provider. Pulumi starts it with the engine's address, and reads the port from the first line. */
const server = new grpc.Server(OPTIONS);
const address = process.argv[2] ?? "";
server.addService(
  ResourceProviderService,
  providerService((to) => connectTo(to, { grpc, service, messages }), address),
);
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.stdout.write(`${port}\n`);
  // stdin closes when the engine exits: no result is needed then. A language host that requires this file holds no pipe to it.
  if (address !== "" && require.main?.filename === __filename)
    process.stdin.resume().once("end", () => process.exit());
});
