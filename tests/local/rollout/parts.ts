import { dialectOf } from "../../../sdk/dialect";
import { join } from "node:path";
import { Admin } from "../../../local/admin";
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

interface PartsOptions {
  /** In place of what the simulated driver does. */
  readonly driven?: Partial<Driver>;
  readonly stageSeconds?: number;
  readonly settings?: Partial<Pick<Platform, "url" | "listen" | "agentAuth" | "allowOrigins">>;
}

/** Makes the parts of a platform without HTTP, and its admin API. */
export function makeParts(
  dataDir: string,
  options: PartsOptions = {},
): Platform & { readonly admin: Admin } {
  const { driven, stageSeconds = 0, settings } = options;
  const store = new Store(join(dataDir, "platform.db"));
  const clock = new PlatformClock(store.platform.get()?.clock_offset_ms);
  const logs = new Logs(store.logLines, clock);
  const driver = { ...simulatedDriver({ clock, stageSeconds }), ...driven };
  const outcomes = new Outcomes(clock, stageSeconds);
  const scheduler = new Scheduler({ store, clock, logs, driver, outcomes });
  const admin = new Admin({ store, clock, scheduler, outcomes });
  const dialect = dialectOf("agentserver");
  const closed = { hosting: undefined, agentAuth: false, allowOrigins: [] };
  const parts = { store, clock, logs, driver, scheduler, admin, dialect };
  return { ...parts, url: "http://x", listen: "", ...closed, ...settings };
}

export function createOne(platform: Platform) {
  const workspace = addWorkspace(platform.store, platform.clock, "local");
  const image = { image_uri: "registry.example.com/acme/agent:1" };
  const source = { source: "external_container", source_config: {}, secrets: [] } as const;
  const body = { name: "support", ...source, source_revision_config: image };
  const deployment = createDeployment(platform, workspace, { ...body, secrets: [] });
  return { ...deployment, workspace };
}

export async function closeParts({ scheduler, logs, store }: Platform): Promise<void> {
  await scheduler.close();
  await logs.close();
  store.close();
}
