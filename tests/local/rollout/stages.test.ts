import { join } from "node:path";
import { expect } from "chai";
import { Admin } from "../../../local/admin";
import { Outcomes } from "../../../local/admin/outcomes";
import { PlatformClock } from "../../../local/platform/clock";
import { createDeployment } from "../../../local/control-plane/deployments";
import type { DeployWork } from "../../../local/drivers/driver";
import { simulatedDriver } from "../../../local/drivers/simulated";
import { Logs } from "../../../local/logs/logs";
import { Scheduler } from "../../../local/rollout/scheduler";
import { Store } from "../../../local/store";
import { addWorkspace } from "../../../local/platform/workspaces";
import { aFolder, removeFolder, until } from "../children";

describe("local/rollout/stages", () => {
  let folder: string;
  beforeEach(async () => (folder = await aFolder()));
  afterEach(() => removeFolder(folder));

  /** A platform without HTTP, whose deploys are done by `deploy`. */
  function start(deploy: (work: DeployWork) => Promise<void>) {
    const store = new Store(join(folder, "platform.db"));
    const clock = new PlatformClock();
    const logs = new Logs(join(folder, "logs"), clock);
    const driver = { ...simulatedDriver({ clock, stageSeconds: 0 }), deploy };
    const outcomes = new Outcomes(clock, 0);
    const scheduler = new Scheduler({ store, clock, logs, driver, outcomes });
    const admin = new Admin({ store, clock, scheduler, outcomes });
    const parts = { store, clock, logs, driver, scheduler, admin };
    return {
      ...parts,
      url: "http://x",
      listen: "",
      hosting: undefined,
      agentAuth: false,
      allowOrigins: [],
    };
  }

  it("have stored a revision as the active one when its driver goes on after it takes over", async () => {
    const goneOn: (string | undefined | null)[] = [];
    const platform = start(async ({ revision, activate, signal }) => {
      activate?.();
      // What a restart would find from here on.
      const { status } = platform.store.revisions.get(revision.id) ?? {};
      const active = platform.store.revisions.active().map(({ id }) => id);
      goneOn.push(status, ...active);
      await new Promise((_, reject) => signal.addEventListener("abort", reject));
    });
    platform.scheduler.start();
    const workspace = addWorkspace(platform.store, platform.clock, "local");
    const { latest_revision_id } = createDeployment(platform, workspace, {
      name: "support",
      source: "external_container",
      source_config: {},
      source_revision_config: { image_uri: "registry.example.com/acme/agent:1" },
      secrets: [],
    });
    await until("the deploy", () => goneOn.length > 0);
    await platform.scheduler.close();
    expect(goneOn).to.deep.equal(["DEPLOYED", latest_revision_id]);
    platform.store.close();
  });
});
