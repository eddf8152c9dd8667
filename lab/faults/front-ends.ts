import type { dynamic } from "@pulumi/pulumi";
import { newProcessCache } from "../../provider/resource/process-cache";
import { type Host, serve } from "../../provider/adapters/dynamic/serve";
import { RESOURCE_TYPES } from "../../provider/resource-types";
import { LIFECYCLES } from "../../provider/lifecycles";
import { withoutSecretForm } from "../../provider/arguments/secrets";
import { recordOf } from "../../shared/records";
import { killableMachine } from "./killable-machine";
import { startNativeProcess } from "./native-process";
import type { Provider } from "./provider";
import type { FrontEndName, KillableProcess, Surroundings } from "./trial";

/** The front ends of the lifecycles, and what starts a process of each. */
const FRONT_ENDS = {
  dynamic: startDynamicProcess,
  native: startNativeProcess,
} satisfies Record<FrontEndName, (surroundings: Surroundings) => Promise<KillableProcess>>;

/** Starts a process for each front end that a command needs. They are lost together. */
export async function startProcesses(
  frontEnds: readonly FrontEndName[],
  surroundings: Surroundings,
): Promise<KillableProcess> {
  const started = frontEnds.map(
    async (frontEnd) => [frontEnd, await FRONT_ENDS[frontEnd](surroundings)] as const,
  );
  const processes = new Map(await Promise.all(started));
  const all = [...processes.values()];
  return {
    providerOf: (resource) => processes.get(frontEndOf(resource.urn))?.providerOf(resource),
    isLost: () => all.some(({ isLost }) => isLost()),
    hasLostEngine: () => all.some(({ hasLostEngine }) => hasLostEngine?.()),
    lose: (what) => all.forEach(({ lose }) => lose(what)),
    async end() {
      for (const { end } of all) await end?.();
    },
  };
}

/** The front end that serves the resource of a URN. */
export function frontEndOf(urn: string): FrontEndName {
  return urn.includes("::pulumi-nodejs:dynamic/") ? "dynamic" : "native";
}

async function startDynamicProcess(surroundings: Surroundings): Promise<KillableProcess> {
  const { workspace, say, show } = surroundings;
  const { lost, lose, clock, readState } = killableMachine(surroundings);
  const log = { progress: show, info: say, warn: say };
  const host: Host = { processCache: newProcessCache(), clock, readState, logOf: () => log };
  const providers = new Map<string, ReturnType<typeof serve>>(
    Object.values(RESOURCE_TYPES).map(({ type, lifecycle }) => [
      lifecycle,
      serve(LIFECYCLES[type], host),
    ]),
  );
  const config = configOf(workspace.settings);
  for (const provider of providers.values()) void provider.configure?.({ config });
  return {
    providerOf({ kind }) {
      const provider = providers.get(kind);
      return provider && inClear(provider);
    },
    isLost: () => lost.engine || lost.provider,
    hasLostEngine: () => lost.engine,
    lose,
  };
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
export function configOf(settings: {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly workspaceId: string;
}): dynamic.Config & { readonly rawConfig: Readonly<Record<string, string>> } {
  const rawConfig: Record<string, string> = {
    "agentserver:baseUrl": settings.baseUrl,
    "agentserver:apiKey": settings.apiKey,
    "agentserver:workspaceId": settings.workspaceId,
  };
  return {
    get: (key) => rawConfig[key],
    require: (key) => rawConfig[key] ?? "",
    rawConfig,
  };
}
