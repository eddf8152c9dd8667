import { deploymentLifecycle } from "../../provider/deployment/lifecycle";
import { newMemory } from "../../provider/host/memory";
import { type Host, serve } from "../../provider/host/serve";
import { listenerLifecycle } from "../../provider/listener/operations";
import { threadLifecycle } from "../../provider/thread/operations";
import { startNativeProcess } from "./native-process";
import type { DoorName, MortalProcess, Surroundings } from "./trial";

/** The front ends of the lifecycles, and what starts a process of each. */
export const DOORS = {
  dynamic: startDynamicProcess,
  native: startNativeProcess,
} satisfies Record<DoorName, (surroundings: Surroundings) => Promise<MortalProcess>>;

/** A process whose operations end for good where it is killed: nothing is sent from then on. */
async function startDynamicProcess(surroundings: Surroundings): Promise<MortalProcess> {
  const { world, workspace, random, note } = surroundings;
  const lost = { engine: false, process: false };
  const lostOr = <Value>(value: Value): Value => {
    if (lost.process) throw new Error("the process was killed");
    return value;
  };
  const say = (text: string): void => note(`    | ${text}`);
  const host: Host = {
    memory: newMemory(),
    clock: {
      now: () => lostOr(world.now()),
      random: () => lostOr(random.next()),
      sleep: (milliseconds) => lostOr(world).advance(milliseconds),
    },
    logOf: () => ({ progress: () => undefined, info: say, warn: say }),
  };
  const settings = {
    "agentserver:baseUrl": world.controlPlane.url,
    "agentserver:apiKey": workspace.apiKey,
    "agentserver:workspaceId": workspace.workspaceId,
  };
  const config = {
    get: (key: string) => Object.entries(settings).find(([name]) => name === key)?.[1],
    require: (key: string) => config.get(key) ?? "",
    rawConfig: settings,
  };
  const providers = new Map([
    ["deployment", serve(deploymentLifecycle, host)],
    ["listener", serve(listenerLifecycle, host)],
    ["thread", serve(threadLifecycle, host)],
  ]);
  for (const provider of providers.values()) void provider.configure?.({ config });
  return {
    providerOf: ({ kind }) => providers.get(kind),
    isLost: () => lost.engine || lost.process,
    lose: (who) => void (lost[who] = true),
  };
}
