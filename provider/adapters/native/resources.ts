import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type {
  CheckRequest,
  CreateRequest,
  DeleteRequest,
  DiffRequest,
  ReadRequest,
  UpdateRequest,
} from "@pulumi/pulumi/proto/provider_pb";
import {
  CheckFailure,
  CheckResponse,
  CreateResponse,
  DiffResponse,
  ReadResponse,
  UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { announceForcedReplacement, showAnnouncement } from "../../resource/announcement";
import type { Context } from "../../resource/context";
import type { Lifecycle } from "../../resource/lifecycle";
import {
  optionInputs,
  optionsIn,
  UNKNOWN_ORDER,
  withoutHiddenInputs,
} from "../../arguments/option-inputs";
import { optionWarnings } from "../../arguments/option-warnings";
import { type Problem, problemText, withOthers } from "../../arguments/problems";
import { type Props, sameValue } from "../../arguments/props";
import { assetPaths, secretNames, withoutSecretForm } from "../../arguments/secrets";
import { isRecord, recordOf } from "../../../shared/records";
import { call } from "./call";
import { diffResponse } from "./diff-response";
import { spelled } from "./spelling";
import { isReadFirst } from "./failure";
import { propsOf, structOf } from "./wire";

/** Makes the context of the calls about one resource. */
export type ContextFor = (urn: string, timeoutSeconds?: number) => Context;

/** The lifecycles are loaded when the first resource is asked for: the start of the process does not wait for them. */
async function lifecycleFor(urn: string): Promise<Lifecycle> {
  const { lifecycleOf } = await import("./resource-types.js");
  return lifecycleOf(urn);
}

/** The calls of the engine about resources, in front of the lifecycles. */
export function resourceCalls(contextFor: ContextFor) {
  return {
    check: call(async (request: CheckRequest) => {
      const lifecycle = await lifecycleFor(request.getUrn());
      const olds = propsIn(request.getOlds());
      const news = propsIn(request.getNews());
      const checked = await lifecycle.check(
        olds,
        { ...news, ...UNKNOWN_ORDER },
        contextFor(request.getUrn()),
      );
      const response = new CheckResponse();
      response.setInputs(visibleStruct(checked.inputs ?? news));
      const failures = withOthers(assetProblems(request.getNews()), checked.failures ?? []);
      response.setFailuresList(failures.map(checkFailure));
      return response;
    }),

    diff: call(async (request: DiffRequest) => {
      const lifecycle = await lifecycleFor(request.getUrn());
      const ignoreChanges = request.getIgnorechangesList();
      const context = contextFor(request.getUrn());
      const news = withoutHiddenInputs(propsOf(request.getNews()));
      const found = lifecycle.diff(
        request.getId(),
        propsIn(request.getOlds(), undefined, keptInputs(lifecycle)),
        { ...news, ...UNKNOWN_ORDER, ...ignored(ignoreChanges) },
        context,
      );
      for (const warning of optionWarnings({}, ignored(ignoreChanges), lifecycle))
        context.log.warn(warning);
      const oldInputs = withoutHiddenInputs(propsOf(request.getOldInputs()));
      const response = diffResponse(found, oldInputs, news);
      // No call follows that could be a preview's.
      if (response.getChanges() === DiffResponse.DiffChanges.DIFF_NONE) showAnnouncement(context);
      return response;
    }),

    create: call(async (request: CreateRequest) => {
      const lifecycle = await lifecycleFor(request.getUrn());
      const inputs = propsIn(request.getProperties());
      const response = new CreateResponse();
      const context = contextFor(request.getUrn(), request.getTimeout());
      if (request.getPreview()) {
        await announceForcedReplacement(context);
        showAnnouncement(context);
        response.setProperties(visibleStruct(lifecycle.preview(inputs)));
        return response;
      }
      const { id, outs } = await lifecycle.create({ ...inputs, ...UNKNOWN_ORDER }, context);
      response.setId(id);
      response.setProperties(visibleStruct(outs));
      return response;
    }),

    // Nothing at all stands for a resource that is gone.
    read: call(async (request: ReadRequest) => {
      const lifecycle = await lifecycleFor(request.getUrn());
      const context = contextFor(request.getUrn(), request.getTimeout());
      // Newer engines have nothing but inputs for the `get` of a program.
      const state = request.hasProperties() ? request.getProperties() : request.getInputs();
      if (isEmptyStruct(state) && !isEmptyStruct(request.getInputs()))
        throw new Error(
          "the state was restored without the outputs; run `pulumi up`, which writes them again, then run the same command again",
        );
      const olds = propsIn(state, request.getInputs(), lifecycle.secretOutputs);
      const found = await lifecycle.read(request.getId(), olds, context);
      const response = new ReadResponse();
      if (found.id === "" || found.id === undefined) return response;
      response.setId(found.id);
      response.setProperties(visibleStruct(found.props ?? {}));
      response.setRefreshBeforeUpdate(isReadFirst(found.props ?? {}));
      const inputs = withoutKeptDefaults(found, olds, propsOf(request.getInputs()));
      response.setInputs(visibleStruct(inputs));
      return response;
    }),

    update: call(async (request: UpdateRequest) => {
      const lifecycle = await lifecycleFor(request.getUrn());
      const olds = propsIn(request.getOlds(), undefined, keptInputs(lifecycle));
      const news = propsIn(request.getNews());
      const response = new UpdateResponse();
      const context = contextFor(request.getUrn(), request.getTimeout());
      if (request.getPreview()) {
        showAnnouncement(context);
        response.setProperties(visibleStruct(lifecycle.preview(news, olds)));
        return response;
      }
      const inputs = { ...news, ...ignored(request.getIgnorechangesList()) };
      const { outs } = await lifecycle.update(request.getId(), olds, inputs, context);
      response.setProperties(visibleStruct(outs));
      return response;
    }),

    delete: call(async (request: DeleteRequest) => {
      const lifecycle = await lifecycleFor(request.getUrn());
      const context = contextFor(request.getUrn(), request.getTimeout());
      const outputs = request.getProperties();
      // A state that was restored without outputs has inputs.
      const state = isEmptyStruct(outputs) ? request.getOldInputs() : outputs;
      const olds = propsIn(state, undefined, keptInputs(lifecycle));
      await lifecycle.delete(request.getId(), olds, context);
      return new Empty();
    }),
  };
}

function isEmptyStruct(struct: Struct | undefined): boolean {
  return (struct?.getFieldsMap().getLength() ?? 0) === 0;
}

/** Of an asset's content the provider has the hash alone, which is enough to compare but not to send. */
function assetProblems(inputs: Struct | undefined): Problem[] {
  return assetPaths(inputs?.toJavaScript())
    .filter((path) => !/^redeployOn\b/.test(path))
    .map((property) => ({ property, reason: "is an asset, which is not sent; set its text" }));
}

/** A problem, as `problemText` words it. */
export function checkFailure(problem: Problem): CheckFailure {
  const failure = new CheckFailure();
  failure.setReason(spelled(problemText(problem)));
  return failure;
}

/**
 * The inputs of a refresh. A lifecycle takes what the state holds for declared, and that of an import holds defaults that
 * the program leaves out: as long as they stay as they are, they are not drift. An import itself has no inputs.
 */
function withoutKeptDefaults(
  { props = {}, inputs = {} }: Awaited<ReturnType<Lifecycle["read"]>>,
  oldOutputs: Props,
  oldInputs: Props,
): Props {
  if (Object.keys(oldInputs).length === 0) return inputs;
  return withoutKept(inputs, oldInputs, recordOf(withoutSecretForm(props)), oldOutputs);
}

function withoutKept(inputs: Props, oldInputs: Props, outputs: Props, oldOutputs: Props): Props {
  const isKept = (name: string): boolean =>
    oldInputs[name] === undefined &&
    outputs[name] !== undefined &&
    sameValue(oldOutputs[name], outputs[name]);
  const entries = Object.entries(inputs).filter(([name]) => !isKept(name));
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const olds = oldInputs[name];
      const isObject = isRecord(value) && isRecord(olds) && isRecord(outputs[name]);
      if (!isObject) return [name, value];
      const [news, before] = [recordOf(outputs[name]), recordOf(oldOutputs[name])];
      return [name, withoutKept(value, olds, news, before)];
    }),
  );
}

function ignored(ignoreChanges: string[]): Props {
  return ignoreChanges.length > 0 ? optionInputs({ ignoreChanges }) : {};
}

/**
 * Inputs, or outputs of a state of either front end, with the names of their secrets and of those in more inputs. Names
 * inside an output that is always secret do not count.
 */
function propsIn(
  struct: Struct | undefined,
  inputs?: Struct,
  secretOutputs: readonly string[] = [],
): Props {
  const props = propsOf(struct);
  const marked = Object.entries(recordOf(struct?.toJavaScript())).filter(
    ([name]) => !secretOutputs.includes(name),
  );
  const names = [Object.fromEntries(marked), inputs?.toJavaScript()].flatMap((of) =>
    secretNames(of),
  );
  return {
    ...withoutHiddenInputs(props),
    __secrets: [...optionsIn(props).secretNames, ...names],
  };
}

/** Secret outputs that are no argument, such as former inputs: they have the names of their secrets. */
function keptInputs({ secretOutputs, arguments: rows }: Lifecycle): string[] {
  return secretOutputs.filter((name) => !rows.some(({ path }) => path.startsWith(name)));
}

function visibleStruct(props: Props) {
  return structOf(withoutHiddenInputs(props));
}
