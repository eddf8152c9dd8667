import type { dynamic } from "@pulumi/pulumi";
import { newProcessCache } from "../../provider/resource/process-cache";
import { type Host, serve } from "../../provider/adapters/dynamic/serve";
import { RESOURCE_TYPES } from "../../provider/resource-types";
import { LIFECYCLES } from "../../provider/lifecycles";
import { withoutSecretForm } from "../../provider/arguments/secrets";
import type { Clock } from "../../shared/clock";
import { recordOf } from "../../shared/records";
import type { Machine } from "../../provider/adapters/native/service";
import { parseStackState } from "../../provider/resource/stack-state";
import type { Interruption } from "./history";
import { startNative } from "./native-provider";
import type { Process, Provider } from "./provider";
import type { FrontEndName, Scenario, Surroundings } from "./trial";

/** The provider processes of one command, which are lost together: nothing answers from then on. */
export interface Processes extends Process {
  readonly lose: (what: Interruption) => void;
}

/** Starts what a command needs: dynamic providers in this process, and the native one behind real gRPC. */
export async function startProcesses(
  frontEnds: readonly FrontEndName[],
  surroundings: Surroundings,
): Promise<Processes> {
  const lost = { engine: false, provider: false };
  const machine = machineOf(surroundings, () => lost.provider);
  const dynamicProviders = dynamicProvidersOf(machine, surroundings);
  const native = frontEnds.includes("native")
    ? await startNative(machine, surroundings)
    : undefined;
  const isLost = (): boolean => lost.engine || lost.provider;
  return {
    providerOf({ urn, kind }) {
      if (frontEndOf(urn) === "native") return native?.providerOf(urn);
      const provider = dynamicProviders.get(kind);
      return provider && inClear(provider);
    },
    isLost,
    hasLostEngine: () => lost.engine,
    lose(what) {
      lost.engine ||= what !== "kill provider";
      lost.provider ||= what !== "kill engine";
    },
    end: async () => native?.end(isLost()),
  };
}

/** The front end that serves the resource of a URN. */
export function frontEndOf(urn: string): FrontEndName {
  return urn.includes("::pulumi-nodejs:dynamic/") ? "dynamic" : "native";
}

/** The machine of processes: their operations end for good where they are killed. */
function machineOf(surroundings: Surroundings, isLost: () => boolean): Machine {
  const lostOr: LostOr = (value) => {
    if (isLost()) throw new Error("the process was killed");
    return value;
  };
  return {
    clock: clockOf(surroundings, lostOr),
    async readState() {
      const state = lostOr(surroundings.exportState());
      if (state === undefined) throw new Error("the backend does not respond");
      return parseStackState(state);
    },
  };
}

/** Returns what a process gets; throws where it was killed. */
type LostOr = <Value>(value: Value) => Value;

/** The clock of a process, which by default nobody kills. */
export function clockOf(
  { environment, random, skewMs }: Scenario,
  lostOr: LostOr = (value) => value,
): Clock {
  return {
    now: () => lostOr(environment.now() + skewMs),
    random: () => lostOr(random.next()),
    async sleep(milliseconds, signal) {
      signal?.throwIfAborted();
      await lostOr(environment).advance(milliseconds);
    },
  };
}

function dynamicProvidersOf(machine: Machine, { workspace, say, show }: Surroundings) {
  const log = { progress: show, info: say, warn: say };
  const host: Host = { ...machine, processCache: newProcessCache(), logOf: () => log };
  const config = configOf(workspace.settings);
  const served = Object.values(RESOURCE_TYPES).map(({ type, lifecycle }) => {
    const provider = serve(LIFECYCLES[type], host);
    void provider.configure?.({ config });
    return [lifecycle, provider] as const;
  });
  return new Map<string, dynamic.ResourceProvider>(served);
}

/** Pulumi's process for dynamic resources gets secrets in clear. */
function inClear(provider: dynamic.ResourceProvider): Provider {
  const { check, diff, create, read, update } = provider;
  const clear = (props: Record<string, unknown> = {}) => ({
    ...recordOf(withoutSecretForm(props)),
  });
  return {
    ...(check && { check: (olds, news) => check(clear(olds), clear(news)) }),
    ...(diff && { diff: (id, olds, news) => diff(id, clear(olds), clear(news)) }),
    create: (inputs) => create(clear(inputs)),
    ...(read && { read: (id, props) => read(id, clear(props)) }),
    ...(update && { update: (id, olds, news) => update(id, clear(olds), clear(news)) }),
    delete: async (id, props) => provider.delete?.(id, clear(props)),
  };
}

/** A stack's configuration as Pulumi's process for dynamic resources hands it over. */
export function configOf(
  settings: Readonly<Record<"baseUrl" | "apiKey" | "workspaceId", string>>,
): dynamic.Config & { readonly rawConfig: Readonly<Record<string, string>> } {
  const named = Object.entries(settings).map(([name, value]) => [`agentserver:${name}`, value]);
  const rawConfig: Record<string, string> = Object.fromEntries(named);
  return {
    get: (key) => rawConfig[key],
    require: (key) => rawConfig[key] ?? "",
    rawConfig,
  };
}
