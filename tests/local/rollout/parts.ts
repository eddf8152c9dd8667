import { dialectOf } from "../../../sdk/dialect";
import { join } from "node:path";
import { Outcomes } from "../../../local/rollout/outcomes";
import { createDeployment } from "../../../local/control-plane/deployments";
import type { Driver } from "../../../local/drivers/driver";
import { simulatedDriver } from "../../../local/drivers/simulated";
import { Logs } from "../../../local/logs/logs";
import { PlatformClock } from "../../../local/platform/clock";
import type { Platform } from "../../../local/control-plane/platform";
import { addWorkspace } from "../../../local/platform/workspaces";
import { Scheduler } from "../../../local/rollout/scheduler";
import { Store } from "../../../local/store";

/** Makes the parts of a platform without HTTP; its driver is the simulated one, but for what is given. */
export function makeParts(dataDir: string, driven: Partial<Driver> = {}): Platform {
  const store = new Store(join(dataDir, "platform.db"));
  const clock = new PlatformClock();
  const logs = new Logs(store.logLines, clock);
  const driver = { ...simulatedDriver({ clock, stageSeconds: 0 }), ...driven };
  const outcomes = new Outcomes(clock, 0);
  const scheduler = new Scheduler({ store, clock, logs, driver, outcomes });
  return {
    store,
    clock,
    logs,
    driver,
    scheduler,
    url: "http://x",
    listen: "",
    hosting: undefined,
    dialect: dialectOf("agentserver"),
    agentAuth: false,
    allowOrigins: [],
  };
}

/** Creates a deployment of an image. */
export function createOne(platform: Platform) {
  const workspace = addWorkspace(platform.store, platform.clock, "local");
  return createDeployment(platform, workspace, {
    name: "support",
    source: "external_container",
    source_config: {},
    source_revision_config: { image_uri: "registry.example.com/acme/agent:1" },
    secrets: [],
  });
}

/** Ends them. */
export async function closeParts({ scheduler, logs, store }: Platform): Promise<void> {
  await scheduler.close();
  await logs.close();
  store.close();
}
