import { setTimeout as delay } from "node:timers/promises";
import type { LocalPlatform } from "../../local";
import { type ProcessCache, newProcessCache } from "../../provider/resource/process-cache";
import type { Context } from "../../provider/resource/context";
import type { Props } from "../../provider/arguments/props";
import type { Host } from "../../provider/adapters/dynamic/serve";
import type { StackState } from "../../provider/resource/stack-state";
import { readSettings } from "../../settings/settings";
import { systemClock } from "../../shared/clock";
import { URN } from "./inputs";

/** All contexts of one platform are those of one provider process. */
const memories = new WeakMap<object, ProcessCache>();

/** A context that is used once more is one of a verb that a hook retries. */
function memoryOf(platform: object): ProcessCache {
  const processCache = memories.get(platform) ?? newProcessCache();
  memories.set(platform, processCache);
  return { ...processCache, retryRecords: new Map() };
}

const SILENT = { progress: () => undefined, info: () => undefined, warn: () => undefined };

/** The state of a stack that has nothing, and whose running create is its first. */
export const emptyState = async (): Promise<StackState> => ({ resources: [], creating: [] });

/** The context of a create of inputs, in a stack whose state records interrupted creates of others. */
export function afterKill(context: Context, inputs: Props, ...interrupted: Props[]): Context {
  const { urn = "" } = context;
  const creating = [inputs, ...interrupted].map((recorded) => ({ urn, inputs: recorded }));
  return { ...context, readState: async () => ({ resources: [], creating }) };
}

/** That process, where nobody listens. */
export const HOST: Host = {
  processCache: newProcessCache(),
  clock: systemClock,
  logOf: () => SILENT,
  readState: emptyState,
};

/** The context of a lifecycle's verb: the settings that lead to a platform; its messages go to `said`. */
export function contextOf(
  platform: Pick<LocalPlatform, "url" | "apiKey" | "workspaceId">,
  said: string[] = [],
  config: Readonly<Record<string, string>> = {},
): Context {
  const { url, apiKey, workspaceId } = platform;
  const say = (text: string): void => void said.push(text);
  const settings = {
    "agentserver:baseUrl": url,
    "agentserver:apiKey": apiKey,
    "agentserver:workspaceId": workspaceId,
    ...config,
  };
  return {
    canImport: false,
    urn: URN,
    processCache: memoryOf(platform),
    settings: () => readSettings(settings, {}),
    log: { progress: say, info: say, warn: say },
    readState: emptyState,
    clock: {
      now: Date.now,
      random: () => 0,
      // The platform's stages take milliseconds here.
      sleep: (milliseconds, signal) => delay(Math.min(milliseconds, 20), undefined, { signal }),
    },
  };
}
