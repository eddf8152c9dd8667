import { credentials, Server, ServerCredentials, type ServiceError } from "@grpc/grpc-js";
import {
  ResourceProviderClient,
  ResourceProviderService,
} from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { InitializationFailure } from "../../provider/resource/errors";
import { visibleOf } from "../../provider/arguments/props";
import { type Machine, providerService } from "../../provider/adapters/native/service";
import { structOf } from "../../provider/adapters/native/wire";
import type { Surroundings } from "./trial";
import type { Known, Props, Provider } from "./provider";
import { answerOf, madeByHalf } from "./wire";

const PROVIDER = "urn:pulumi:test::shop::pulumi:providers:agentserver::default";

/** Binds a server of gRPC to this machine; the address. */
export function bind(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    const bound = (error: Error | null, port: number): void =>
      error ? reject(error) : resolve(`127.0.0.1:${port}`);
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), bound);
  });
}

/** Serves the native provider over real gRPC, in this process. */
export async function serveNative(...given: Parameters<typeof providerService>) {
  const server = new Server();
  server.addService(ResourceProviderService, providerService(...given));
  const client = new ResourceProviderClient(await bind(server), credentials.createInsecure());
  const close = (): void => {
    client.close();
    server.forceShutdown();
  };
  return { client, close };
}

/** Configures it as the engine does. */
export function configure(client: ResourceProviderClient, args: Props, urn = PROVIDER) {
  const request = new messages.ConfigureRequest().setUrn(urn).setArgs(structOf(args));
  return answerOf<messages.ConfigureResponse>((done) => client.configure(request, done));
}

/** Starts the native provider for a command, with a memory of its own. */
export async function startNative(machine: Machine, { workspace, say, show }: Surroundings) {
  const connect = () => (_urn: string, _severity: string, text: string, ephemeral: boolean) =>
    ephemeral ? show(text) : say(text);
  const { client, close } = await serveNative(connect, "", machine);
  await configure(client, workspace.settings);
  return {
    providerOf: (urn: string) => nativeProvider(client, urn),
    async end(isLost: boolean): Promise<void> {
      if (!isLost) await answerOf<Empty>((done) => client.cancel(new Empty(), done));
      close();
    },
  };
}

/** The calls of the native provider about one resource, as the model of the engine makes them. */
function nativeProvider(client: ResourceProviderClient, urn: string): Provider {
  /** The response to a call; what it has made by half is an initialisation failure. */
  const ask = async <Answer>(call: Parameters<typeof answerOf<Answer>>[0]): Promise<Answer> => {
    try {
      return await answerOf<Answer>(call);
    } catch (error) {
      if (!isServiceError(error)) throw error;
      const made = madeByHalf(error);
      if (made === undefined) throw new Error(error.details, { cause: error });
      const outputs = valuesOf(made.getProperties());
      throw new InitializationFailure(made.getId(), outputs, made.getReasonsList());
    }
  };
  const aboutChange = <Request extends messages.DiffRequest | messages.UpdateRequest>(
    request: Request,
    [id, olds, news, { oldInputs, ignoreChanges }]: [string, Props, Props, Known],
  ): Request => {
    request.setUrn(urn).setId(id).setOlds(structOf(olds)).setNews(structOf(news));
    request.setOldInputs(structOf(oldInputs)).setIgnorechangesList([...ignoreChanges]);
    return request;
  };
  return {
    async check(olds, news) {
      const request = new messages.CheckRequest().setUrn(urn).setOlds(structOf(olds));
      request.setNews(structOf(visibleOf(news)));
      const answer = await ask<messages.CheckResponse>((done) => client.check(request, done));
      const reasons = answer.getFailuresList().map((failure) => failure.getReason());
      const failures = reasons.map((reason) => ({ property: "", reason }));
      return { inputs: valuesOf(answer.getInputs()), failures };
    },
    async diff(...change) {
      const request = aboutChange(new messages.DiffRequest(), change);
      const answer = await ask<messages.DiffResponse>((done) => client.diff(request, done));
      return {
        changes: answer.getChanges() === messages.DiffResponse.DiffChanges.DIFF_SOME,
        replaces: answer.getReplacesList(),
        deleteBeforeReplace: answer.getDeletebeforereplace(),
      };
    },
    async create(inputs) {
      const request = new messages.CreateRequest().setUrn(urn).setProperties(structOf(inputs));
      const answer = await ask<messages.CreateResponse>((done) => client.create(request, done));
      return { id: answer.getId(), outs: valuesOf(answer.getProperties()) };
    },
    async update(...change) {
      const request = aboutChange(new messages.UpdateRequest(), change);
      const answer = await ask<messages.UpdateResponse>((done) => client.update(request, done));
      return { outs: valuesOf(answer.getProperties()) };
    },
    async read(id, props, oldInputs) {
      const request = new messages.ReadRequest().setUrn(urn).setId(id);
      // An import has neither.
      if (oldInputs) request.setProperties(structOf(props)).setInputs(structOf(oldInputs));
      const answer = await ask<messages.ReadResponse>((done) => client.read(request, done));
      const [outputs, inputs] = [answer.getProperties(), answer.getInputs()];
      return { id: answer.getId(), props: valuesOf(outputs), inputs: valuesOf(inputs) };
    },
    async delete(id, props) {
      const request = new messages.DeleteRequest().setUrn(urn).setId(id);
      request.setProperties(structOf(props));
      await ask<Empty>((done) => client.delete(request, done));
    },
  };
}

function valuesOf(struct: Struct | undefined): Props {
  return struct?.toJavaScript() ?? {};
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "details" in error && "metadata" in error;
}
