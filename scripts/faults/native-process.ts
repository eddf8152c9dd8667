import { credentials, Server, ServerCredentials } from "@grpc/grpc-js";
import {
  ResourceProviderClient,
  ResourceProviderService,
} from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { providerService } from "../../provider/adapters/native/service";
import { structOf } from "../../provider/adapters/native/wire";
import { mortalMachine } from "./machine";
import { nativeProvider } from "./native-provider";
import type { MortalProcess, Surroundings } from "./trial";
import { answerOf } from "./wire";

const PROVIDER = "urn:pulumi:test::shop::pulumi:providers:agentserver::default";

/** The native provider behind real gRPC, with a memory of its own and the world's time. */
export async function startNativeProcess(surroundings: Surroundings): Promise<MortalProcess> {
  const { say, show, onLeak } = surroundings;
  const { lost, lose, ...machine } = mortalMachine(surroundings);
  const server = new Server();
  const connect = () => (_urn: string, _severity: string, text: string, ephemeral: boolean) =>
    ephemeral ? show(text) : say(text);
  server.addService(ResourceProviderService, providerService(connect, "", machine));
  const client = new ResourceProviderClient(await listen(server), credentials.createInsecure());
  await configure(client, surroundings);
  const isLost = (): boolean => lost.engine || lost.provider;
  return {
    providerOf: ({ urn }) => nativeProvider(client, urn, onLeak),
    isLost,
    hasLostEngine: () => lost.engine,
    lose,
    async end() {
      if (!isLost()) await answerOf<Empty>((done) => client.cancel(new Empty(), done));
      client.close();
      server.forceShutdown();
    },
  };
}

async function listen(server: Server): Promise<string> {
  const port = await new Promise<number>((resolve, reject) => {
    const bound = (error: Error | null, at: number): void => (error ? reject(error) : resolve(at));
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), bound);
  });
  return `127.0.0.1:${port}`;
}

async function configure(
  client: ResourceProviderClient,
  { workspace }: Surroundings,
): Promise<void> {
  const request = new messages.ConfigureRequest();
  request.setUrn(PROVIDER);
  request.setArgs(structOf(workspace.settings));
  await answerOf<messages.ConfigureResponse>((done) => client.configure(request, done));
}
