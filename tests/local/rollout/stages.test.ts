import { expect } from "chai";
import { StageFailure, type DeployWork } from "../../../local/drivers/driver";
import type { Platform } from "../../../local/control-plane/platform";
import { until, useFolder } from "../children";
import { closeParts, createOne, makeParts } from "./parts";

describe("local/rollout/stages", () => {
  const folder = useFolder();
  let platform: Platform;
  afterEach(() => closeParts(platform));

  /** Starts a platform whose deploys are done by `deploy`. */
  function start(deploy: (work: DeployWork) => Promise<void>) {
    platform = makeParts(folder(), { driven: { deploy } });
    platform.scheduler.start();
  }

  it("have stored a revision as the active one when its driver goes on after it starts to serve", async () => {
    const goneOn: (string | undefined | null)[] = [];
    start(async ({ revision, activate, signal }) => {
      activate?.();
      // The record that a restart would find from here on.
      const { status } = platform.store.revisions.get(revision.id) ?? {};
      const active = platform.store.revisions.active().map(({ id }) => id);
      goneOn.push(status, ...active);
      await new Promise((_, reject) => signal.addEventListener("abort", reject));
    });
    const { latest_revision_id } = createOne(platform);
    await until("the deploy", () => goneOn.length > 0);
    expect(goneOn).to.deep.equal(["DEPLOYED", latest_revision_id]);
  });

  it("have ended when an interruption is answered", async () => {
    const reached: string[] = [];
    start(async ({ signal }) => {
      reached.push("begun");
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      await new Promise(setImmediate);
      reached.push("ended");
    });
    const { latest_revision_id } = createOne(platform);
    await until("the deploy", () => reached.length > 0);
    await platform.scheduler.interrupt(latest_revision_id);
    expect(reached).to.deep.equal(["begun", "ended"]);
  });

  it("log what a driver says as one line with its level, what follows a line break below it, and of a reason what is new", async () => {
    start(async ({ log }) => {
      log("graphs: a\nERROR the build has failed");
      log("run failed\nTraceback\nValueError: 1", "ERROR");
      throw new StageFailure("it exited: ValueError: 1\nrun failed\nTraceback\nmore");
    });
    const { latest_revision_id: revisionId } = createOne(platform);
    const { revisions, logLines } = platform.store;
    await until("the failure", () => revisions.get(revisionId)?.status === "DEPLOY_FAILED");
    const lines = logLines.list({ revisionId, type: "deploy" }, "asc", 10);
    expect(lines.map(({ level, message }) => `${level}: ${message}`)).to.deep.equal([
      "INFO: graphs: a",
      "INFO:     ERROR the build has failed",
      "ERROR: run failed",
      "ERROR:     Traceback",
      "ERROR:     ValueError: 1",
      "ERROR: it exited: ValueError: 1",
      "ERROR: more",
    ]);
  });

  it("have stored the reason of a failure before the status that says so", async () => {
    start(async () => {
      throw new StageFailure("no compiler");
    });
    const { revisions, logLines } = platform.store;
    const update = revisions.update.bind(revisions);
    const stored: unknown[] = [];
    revisions.update = (revision) => {
      const name = { revisionId: revision.id, type: "deploy" } as const;
      if (revision.status === "DEPLOY_FAILED") stored.push(logLines.list(name, "desc", 1)[0]);
      update(revision);
    };
    createOne(platform);
    await until("the failure", () => stored.length > 0);
    expect(stored).to.have.length(1);
    expect(stored[0]).to.include({ level: "ERROR", message: "no compiler" });
  });
});
