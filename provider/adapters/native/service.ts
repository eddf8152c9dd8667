import type { UntypedServiceImplementation } from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import {
  type CheckRequest,
  CheckResponse,
  type ConfigureRequest,
  ConfigureResponse,
  type DiffRequest,
  DiffResponse,
  GetSchemaResponse,
  type InvokeRequest,
  InvokeResponse,
  type ListRequest,
  ListResponse,
  type ProviderHandshakeRequest,
  ProviderHandshakeResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { type Clock, systemClock } from "../../../shared/clock";
import { readSettings, type Settings } from "../../../settings/settings";
import { SECRETS } from "../../../settings/source";
import type { Context } from "../../resource/context";
import { type Engine, engineLog } from "../../resource/engine-log";
import { withoutSecrets } from "../../resource/errors";
import { newProcessCache } from "../../resource/process-cache";
import { sharedReader } from "../../resource/shared-reader";
import type { StackState } from "../../resource/stack-state";
import { hasUnknown } from "../../arguments/props";
import { secretNames, valuesNamed, withSecrets } from "../../arguments/secrets";
import { call, streamingCall } from "./call";
import { configurationOf, configurationProblems, settingsDiffer } from "./configuration";
import { checkFailure, resourceCalls } from "./resources";
import { packageVersion, schemaText } from "./schema";
import { spelled } from "./spelling";
import { propsOf, structOf } from "./wire";

/** The parts of the machine that the provider asks: its time, and Pulumi's command line for a stack's state. */
export interface Machine {
  readonly clock: Clock;
  readonly readState: (urn: string, isPreview?: boolean) => Promise<StackState>;
}

const realMachine: Machine = {
  clock: systemClock,
  readState: sharedReader(async (...args) =>
    (await import("../../resource/stack-state.js")).exportStackState(...args),
  ),
};

/** The provider as the engine calls it: `connect` opens the way for messages to an address. */
export function providerService(
  connect: (address: string) => Engine,
  address: string,
  machine = realMachine,
): UntypedServiceImplementation {
  let engineAddress = address;
  let processCache = newProcessCache();
  let config: Record<string, string> = {};
  let settings: Settings | undefined;
  let cancellation = new AbortController();
  let clock = endingAt(cancellation.signal, machine.clock);
  const contextFor = (urn: string, timeoutSeconds = 0): Context => ({
    canImport: true,
    settings: () => (settings ??= readSettings(config)),
    log: engineLog(urn, processCache, () => {
      const engine = connect(engineAddress);
      return (to, severity, text, ephemeral) => engine(to, severity, spelled(text), ephemeral);
    }),
    clock,
    processCache,
    urn,
    readState: (isPreview) => machine.readState(urn, isPreview),
    signal: cancellation.signal,
    deadline: timeoutSeconds > 0 ? clock.now() + timeoutSeconds * 1000 : undefined,
  });

  return {
    // Without its secrets a request does not say which outputs repeat one.
    handshake: call((request: ProviderHandshakeRequest) => {
      engineAddress = request.getEngineAddress() || engineAddress;
      return new ProviderHandshakeResponse().setAcceptSecrets(true);
    }),
    getPluginInfo: call(() => {
      const info = new PluginInfo();
      info.setVersion(packageVersion());
      return info;
    }),
    getSchema: call(() => {
      const response = new GetSchemaResponse();
      response.setSchema(schemaText());
      return response;
    }),
    checkConfig: call((request: CheckRequest) => {
      const response = new CheckResponse();
      const news = propsOf(request.getNews());
      response.setInputs(structOf(withSecrets(news, SECRETS)));
      const problems = configurationProblems(news, request.getUrn());
      response.setFailuresList(problems.map(checkFailure));
      return response;
    }),
    // Settings replace nothing: another base URL may be the new address of the same control plane.
    diffConfig: call((request: DiffRequest) => {
      const response = new DiffResponse();
      const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;
      const differ = settingsDiffer(propsOf(request.getOldInputs()), propsOf(request.getNews()));
      response.setChanges(differ ? DIFF_SOME : DIFF_NONE);
      return response;
    }),
    // A provider that outlives a run is configured again by the next one.
    configure: call((request: ConfigureRequest) => {
      config = configurationOf(propsOf(request.getArgs()), request.getUrn() ?? "");
      settings = undefined;
      processCache = newProcessCache();
      cancellation = new AbortController();
      clock = endingAt(cancellation.signal, machine.clock);
      const response = new ConfigureResponse();
      response.setSupportspreview(true);
      return response;
    }),
    invoke: call(async (request: InvokeRequest) => {
      const { callFunction } = await import("./functions.js");
      const args = propsOf(request.getArgs());
      const names = secretNames(request.getArgs()?.toJavaScript());
      const found = await withoutSecrets(valuesNamed(names, args), () =>
        callFunction(request.getTok(), args, config, { processCache, clock }),
      );
      const response = new InvokeResponse();
      response.setReturn(structOf(names.length > 0 ? withSecrets(found, ["*"]) : found));
      return response;
    }),
    list: streamingCall(async (request: ListRequest) => {
      const query = propsOf(request.getQuery());
      if (hasUnknown(query)) return [new ListResponse().setComputed(new ListResponse.Computed())];
      const { listResources } = await import("./listing.js");
      const found = await listResources(request.getToken(), query, config, { processCache, clock });
      const most = request.getLimit() > 0 ? request.getLimit() : found.length;
      return found.slice(0, most).map(({ id, name }) => {
        const result = new ListResponse.Result().setId(id).setName(name);
        return new ListResponse().setResult(result);
      });
    }),
    // Comes at every end of a run too.
    cancel: call(() => {
      cancellation.abort();
      return new Empty();
    }),
    ...resourceCalls(contextFor),
  };
}

/** The clock; cancelling the run ends every sleep: a wait's, and one before a retry. */
function endingAt(cancelled: AbortSignal, clock: Clock): Clock {
  const sleep: Clock["sleep"] = (milliseconds, signal) =>
    clock.sleep(milliseconds, signal ? AbortSignal.any([signal, cancelled]) : cancelled);
  return { ...clock, sleep };
}
