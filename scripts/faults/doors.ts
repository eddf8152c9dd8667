import type { dynamic } from "@pulumi/pulumi";
import { newMemory } from "../../provider/kind/memory";
import { type Host, serve } from "../../provider/doors/dynamic/serve";
import { parseStackState } from "../../provider/kind/stack-state";
import { KINDS } from "../../provider/kinds";
import { LIFECYCLES } from "../../provider/lifecycles";
import { startNativeProcess } from "./native-process";
import type { DoorName, MortalProcess, Surroundings } from "./trial";

/** The front ends of the lifecycles, and what starts a process of each. */
const DOORS = {
  dynamic: startDynamicProcess,
  native: startNativeProcess,
} satisfies Record<DoorName, (surroundings: Surroundings) => Promise<MortalProcess>>;

/** Starts a process for each front end that a command needs. They are lost together. */
export async function startProcesses(
  doors: readonly DoorName[],
  surroundings: Surroundings,
): Promise<MortalProcess> {
  const started = doors.map(async (door) => [door, await DOORS[door](surroundings)] as const);
  const processes = new Map(await Promise.all(started));
  const all = [...processes.values()];
  return {
    providerOf: (resource) => processes.get(doorOf(resource.urn))?.providerOf(resource),
    isLost: () => all.some(({ isLost }) => isLost()),
    hasLostEngine: () => all.some(({ hasLostEngine }) => hasLostEngine?.()),
    lose: (victim) => all.forEach(({ lose }) => lose(victim)),
    async end() {
      for (const { end } of all) await end?.();
    },
  };
}

/** The front end that serves the resource of a URN. */
export function doorOf(urn: string): DoorName {
  return urn.includes("::pulumi-nodejs:dynamic/") ? "dynamic" : "native";
}

/** A process whose operations end for good where it is killed: nothing is sent from then on. */
async function startDynamicProcess(surroundings: Surroundings): Promise<MortalProcess> {
  const { world, workspace, random, skewMs, say, exportState } = surroundings;
  const lost = { engine: false, provider: false };
  const lostOr = <Value>(value: Value): Value => {
    if (lost.provider) throw new Error("the process was killed");
    return value;
  };
  const host: Host = {
    memory: newMemory(),
    clock: {
      now: () => lostOr(world.now() + skewMs),
      random: () => lostOr(random.next()),
      sleep: (milliseconds) => lostOr(world).advance(milliseconds),
    },
    readState: async () => {
      const state = lostOr(exportState());
      if (state === undefined) throw new Error("the backend does not respond");
      return parseStackState(state);
    },
    logOf: () => ({ progress: () => undefined, info: say, warn: say }),
  };
  const providers = new Map<string, ReturnType<typeof serve>>(
    Object.values(KINDS).map(({ type, lifecycle }) => [lifecycle, serve(LIFECYCLES[type], host)]),
  );
  const config = configOf({ baseUrl: world.controlPlane.url, ...workspace });
  for (const provider of providers.values()) void provider.configure?.({ config });
  return {
    providerOf: ({ kind }) => providers.get(kind),
    isLost: () => lost.engine || lost.provider,
    hasLostEngine: () => lost.engine,
    lose: (victim) => {
      lost.engine ||= victim !== "provider";
      lost.provider ||= victim !== "engine";
    },
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
