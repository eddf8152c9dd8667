import type { ServiceError } from "@grpc/grpc-js";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { InitializationFailure } from "../../provider/resource/initialization-failure";
import { visibleOf } from "../../provider/arguments/props";
import { structOf } from "../../provider/adapters/native/wire";
import type { Provider } from "./provider";
import { hasCanary, textsIn } from "./canary";
import { answerOf, madeByHalf } from "./wire";

/** The calls of the native provider about one resource, as the model of the engine makes them. */
export function nativeProvider(
  client: ResourceProviderClient,
  urn: string,
  onLeak: (what: string) => void,
): Provider {
  /** Nothing that a call answers may show a secret in clear. */
  const search = (verb: string, ...answers: unknown[]): void => {
    const shown = answers.flatMap(textsIn).filter(hasCanary);
    for (const text of shown) onLeak(`${verb} answers a secret in clear: ${text}`);
  };
  const read = (verb: string, struct: Struct | undefined) => {
    const answered = struct?.toJavaScript() ?? {};
    search(verb, answered);
    return answered;
  };
  const kept = async <Answer>(verb: string, answer: Promise<Answer>): Promise<Answer> => {
    try {
      return await answer;
    } catch (error) {
      if (!isServiceError(error)) throw error;
      const made = madeByHalf(error);
      search(verb, error.details, made?.getReasonsList());
      if (made === undefined) throw new Error(error.details, { cause: error });
      const outputs = read(verb, made.getProperties());
      throw new InitializationFailure(made.getId(), outputs, made.getReasonsList());
    }
  };
  return {
    async check(olds, news) {
      const request = new messages.CheckRequest();
      request.setUrn(urn);
      request.setOlds(structOf(olds));
      request.setNews(structOf(visibleOf(news)));
      const answer = await kept(
        "check",
        answerOf<messages.CheckResponse>((done) => client.check(request, done)),
      );
      const reasons = answer.getFailuresList().map((failure) => failure.getReason());
      search("check", reasons);
      const failures = reasons.map((reason) => ({ property: "", reason }));
      return { inputs: read("check", answer.getInputs()), failures };
    },
    async diff(id, olds, news, { oldInputs, ignoreChanges }) {
      const request = new messages.DiffRequest();
      request.setUrn(urn);
      request.setId(id);
      request.setOlds(structOf(olds));
      request.setNews(structOf(news));
      request.setOldInputs(structOf(oldInputs));
      request.setIgnorechangesList([...ignoreChanges]);
      const answer = await kept(
        "diff",
        answerOf<messages.DiffResponse>((done) => client.diff(request, done)),
      );
      search("diff", answer.toObject());
      return {
        changes: answer.getChanges() === messages.DiffResponse.DiffChanges.DIFF_SOME,
        replaces: answer.getReplacesList(),
        deleteBeforeReplace: answer.getDeletebeforereplace(),
      };
    },
    async create(inputs) {
      const request = new messages.CreateRequest();
      request.setUrn(urn);
      request.setProperties(structOf(inputs));
      const answer = await kept(
        "create",
        answerOf<messages.CreateResponse>((done) => client.create(request, done)),
      );
      return { id: answer.getId(), outs: read("create", answer.getProperties()) };
    },
    async update(id, olds, news, { oldInputs, ignoreChanges }) {
      const request = new messages.UpdateRequest();
      request.setUrn(urn);
      request.setId(id);
      request.setOlds(structOf(olds));
      request.setNews(structOf(news));
      request.setOldInputs(structOf(oldInputs));
      request.setIgnorechangesList([...ignoreChanges]);
      const answer = await kept(
        "update",
        answerOf<messages.UpdateResponse>((done) => client.update(request, done)),
      );
      return { outs: read("update", answer.getProperties()) };
    },
    async read(id, props = {}) {
      const request = new messages.ReadRequest();
      request.setUrn(urn);
      request.setId(id);
      request.setProperties(structOf(props));
      const answer = await kept(
        "read",
        answerOf<messages.ReadResponse>((done) => client.read(request, done)),
      );
      const found = { props: read("read", answer.getProperties()) };
      return { id: answer.getId(), ...found, inputs: read("read", answer.getInputs()) };
    },
    async delete(id, props) {
      const request = new messages.DeleteRequest();
      request.setUrn(urn);
      request.setId(id);
      request.setProperties(structOf(props));
      await kept(
        "delete",
        answerOf<Empty>((done) => client.delete(request, done)),
      );
    },
  };
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "details" in error && "metadata" in error;
}
