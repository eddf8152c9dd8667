import { serve } from "@hono/node-server";
import { once } from "node:events";
import { z } from "zod";
import { deploymentLifecycle } from "../../../provider/deployment/lifecycle";
import { newMemory } from "../../../provider/host/memory";
import { readSettings } from "../../../settings/settings";
import type { Clock } from "../../../shared/clock";
import { bareControlPlane } from "./control-plane";
import { argumentsOf, settingsFor } from "./inputs";
import type { Rollout } from "./stages";

/** What a create came to that waits for its roll-out. */
export interface Wait {
  /** From `DEPLOYED` to the end of the wait. */
  readonly delaySeconds: number;
  readonly requests: number;
}

/** Creates a deployment that rolls out like this, and waits for it. */
export type Waiter = (rollout: Rollout, random: () => number) => Promise<Wait>;

const Address = z.object({ port: z.int() });
const SILENT = { progress: () => undefined, info: () => undefined, warn: () => undefined };

/** The create of our `Deployment`, over real HTTP to a control plane whose time goes on when the create sleeps. */
export async function startOurs(): Promise<{ wait: Waiter; close: () => void }> {
  let rollout: Rollout | undefined;
  let nowMs = 0;
  const { app, requests, clear } = bareControlPlane(() => rollout?.statusAt(nowMs / 1000) ?? "");
  const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 });
  await once(server, "listening");
  const { port } = Address.parse(server.address());
  const settings = readSettings(settingsFor(`http://127.0.0.1:${port}`), {});
  const wait: Waiter = async (next, random) => {
    [rollout, nowMs] = [next, 0];
    clear();
    const clock: Clock = {
      now: () => nowMs,
      random,
      sleep: async (milliseconds) => void (nowMs += milliseconds),
    };
    const host = { door: "dynamic", log: SILENT, clock, memory: newMemory() } as const;
    const readState = async () => ({ resources: [], creating: [] });
    const context = { ...host, readState, settings: () => settings, urn: undefined };
    await deploymentLifecycle.create(argumentsOf("agent"), context);
    const count = Object.values(requests()).reduce((sum, number) => sum + number, 0);
    return { delaySeconds: nowMs / 1000 - next.seconds, requests: count };
  };
  return { wait, close: () => server.close() };
}

/** A client that asks at fixed intervals for the revision's status, as the contract's reference client does. */
export function pollEvery(seconds: number): Waiter {
  return async (rollout) => {
    let polls = 1;
    while (rollout.statusAt((polls - 1) * seconds) !== "DEPLOYED") polls += 1;
    return { delaySeconds: (polls - 1) * seconds - rollout.seconds, requests: 1 + polls };
  };
}
