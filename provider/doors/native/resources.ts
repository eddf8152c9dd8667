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
import { showAnnouncement } from "../../kind/announcement";
import type { Context } from "../../kind/context";
import { InitializationFailure } from "../../kind/initialization-failure";
import type { Lifecycle } from "../../kind/lifecycle";
import { optionInputs, UNKNOWN_ORDER, withoutHiddenInputs } from "../../arguments/option-inputs";
import { optionWarnings } from "../../arguments/option-warnings";
import { type Problem, problemText } from "../../arguments/problems";
import { type Props, sameValue } from "../../arguments/props";
import { withSecrets } from "../../arguments/secrets";
import { isRecord, recordOf } from "../../../shared/records";
import { call } from "./call";
import { diffResponse } from "./diff-response";
import { propsOf, structOf } from "./wire";

/** Makes the context of the calls about one resource. */
export type ContextFor = (urn: string, timeoutSeconds?: number) => Context;

/** The lifecycles are loaded when the first resource is asked for: the start of the process does not wait for them. */
async function lifecycleFor(urn: string): Promise<Lifecycle> {
  const { lifecycleOf } = await import("./kinds.js");
  return lifecycleOf(urn);
}

/** The calls of the engine about resources, in front of the lifecycles. */
export function resourceCalls(contextFor: ContextFor) {
  return {
    check: call(async (request: CheckRequest) => {
      const lifecycle = await lifecycleFor(request.getUrn());
      const olds = withoutHiddenInputs(propsOf(request.getOlds()));
      const news = withoutHiddenInputs(propsOf(request.getNews()));
      const checked = await lifecycle.check(
        olds,
        { ...news, ...UNKNOWN_ORDER },
        contextFor(request.getUrn()),
      );
      const response = new CheckResponse();
      response.setInputs(inputStruct(lifecycle, checked.inputs ?? news));
      response.setFailuresList((checked.failures ?? []).map(checkFailure));
      return response;
    }),

    diff: call(async (request: DiffRequest) => {
      const lifecycle = await lifecycleFor(request.getUrn());
      const ignoreChanges = request.getIgnorechangesList();
      const context = contextFor(request.getUrn());
      const news = withoutHiddenInputs(propsOf(request.getNews()));
      const found = lifecycle.diff(
        request.getId(),
        outputsIn(request.getOlds()),
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
      const inputs = withoutHiddenInputs(propsOf(request.getProperties()));
      const response = new CreateResponse();
      const context = contextFor(request.getUrn(), request.getTimeout());
      if (request.getPreview()) {
        showAnnouncement(context);
        response.setProperties(outputStruct(lifecycle, lifecycle.preview(inputs)));
        return response;
      }
      const { id, outs } = await kept(lifecycle, () =>
        lifecycle.create({ ...inputs, ...UNKNOWN_ORDER }, context),
      );
      response.setId(id);
      response.setProperties(outputStruct(lifecycle, outs));
      return response;
    }),

    // Nothing at all stands for a resource that is gone.
    read: call(async (request: ReadRequest) => {
      const lifecycle = await lifecycleFor(request.getUrn());
      const context = contextFor(request.getUrn(), request.getTimeout());
      const olds = outputsIn(request.getProperties());
      const found = await lifecycle.read(request.getId(), olds, context);
      const response = new ReadResponse();
      if (found.id === "" || found.id === undefined) return response;
      response.setId(found.id);
      response.setProperties(outputStruct(lifecycle, found.props ?? {}));
      const inputs = withoutKeptDefaults(found, olds, propsOf(request.getInputs()));
      response.setInputs(inputStruct(lifecycle, inputs));
      return response;
    }),

    update: call(async (request: UpdateRequest) => {
      const lifecycle = await lifecycleFor(request.getUrn());
      const olds = outputsIn(request.getOlds());
      const news = withoutHiddenInputs(propsOf(request.getNews()));
      const response = new UpdateResponse();
      const context = contextFor(request.getUrn(), request.getTimeout());
      if (request.getPreview()) {
        showAnnouncement(context);
        response.setProperties(outputStruct(lifecycle, lifecycle.preview(news, olds)));
        return response;
      }
      const inputs = { ...news, ...ignored(request.getIgnorechangesList()) };
      const { outs } = await kept(lifecycle, () =>
        lifecycle.update(request.getId(), olds, inputs, context),
      );
      response.setProperties(outputStruct(lifecycle, outs));
      return response;
    }),

    delete: call(async (request: DeleteRequest) => {
      const lifecycle = await lifecycleFor(request.getUrn());
      const context = contextFor(request.getUrn(), request.getTimeout());
      await lifecycle.delete(request.getId(), outputsIn(request.getProperties()), context);
      return new Empty();
    }),
  };
}

/** A problem, as `problemText` words it. */
export function checkFailure(problem: Problem): CheckFailure {
  const failure = new CheckFailure();
  failure.setReason(problemText(problem));
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
  return withoutKept(inputs, oldInputs, props, oldOutputs);
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

/** The outputs of a state, which may be one of the dynamic provider. */
function outputsIn(struct: Parameters<typeof propsOf>[0]): Props {
  return withoutHiddenInputs(propsOf(struct));
}

function inputStruct({ secretInputs }: Lifecycle, inputs: Props) {
  return structOf(withSecrets(withoutHiddenInputs(inputs), secretInputs));
}

function outputStruct({ secretOutputs }: Lifecycle, outputs: Props) {
  return structOf(withSecrets(withoutHiddenInputs(outputs), secretOutputs));
}

/** The engine keeps what an initialization failure brings, as it keeps the outputs of a success. */
async function kept<Answer>(
  { secretOutputs }: Lifecycle,
  operation: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await operation();
  } catch (error) {
    if (!(error instanceof InitializationFailure)) throw error;
    const { id, properties, reasons } = error;
    const outputs = withSecrets(withoutHiddenInputs(properties), secretOutputs);
    throw new InitializationFailure(id, outputs, reasons);
  }
}
