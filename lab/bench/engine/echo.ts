// The echo provider, a floor of the bench `engine`: what a resource costs the engine with any provider in Node. It takes every
// input as it comes, finds no difference and sends no request.
import { randomUUID } from "node:crypto";
import * as grpc from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import {
  type CheckRequest,
  CheckResponse,
  ConfigureResponse,
  type CreateRequest,
  CreateResponse,
  DiffResponse,
  ProviderHandshakeResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";

function call<Request, Response>(
  answer: (request: Request) => Response,
): grpc.handleUnaryCall<Request, Response> {
  return ({ request }, respond) => respond(null, answer(request));
}

function check(request: CheckRequest): CheckResponse {
  return new CheckResponse().setInputs(request.getNews());
}

function diff(): DiffResponse {
  return new DiffResponse().setChanges(DiffResponse.DiffChanges.DIFF_NONE);
}

function create(request: CreateRequest): CreateResponse {
  return new CreateResponse().setId(randomUUID()).setProperties(request.getProperties());
}

const server = new grpc.Server({ "grpc.enable_channelz": 0 });
server.addService(ResourceProviderService, {
  handshake: call(() => new ProviderHandshakeResponse()),
  getPluginInfo: call(() => new PluginInfo().setVersion("1.0.0")),
  checkConfig: call(check),
  diffConfig: call(diff),
  configure: call(() => new ConfigureResponse().setSupportspreview(true)),
  check: call(check),
  diff: call(diff),
  create: call(create),
  cancel: call(() => new Empty()),
});
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.stdout.write(`${port}\n`);
  process.stdin.resume().once("end", () => process.exit());
});
