import { expect } from "chai";
import { join } from "node:path";
import { z } from "zod";
import type { Deployment } from "../../../sdk/schema";
import { PlatformClock } from "../../../local/platform/clock";
import { moveRevision } from "../../../local/rollout/transitions";
import { Store } from "../../../local/store";
import { until } from "../children";
import { closeParts, createOne, makeParts } from "./parts";
import { openLogs } from "../logs/logged";
import { aGitDeployment, poll, useFreshPlatform } from "../../support/platform";

const STAGE_SECONDS = 3600;

describe("local/rollout/scheduler", () => {
  const t = useFreshPlatform({ stageSeconds: STAGE_SECONDS });

  /** The statuses of its revisions, oldest first. */
  const statuses = async (id: string) =>
    (await t.revisions(id)).map(({ status }) => status).toReversed();
  const patch = async (id: string, repo_ref: string) => {
    const body = { source_revision_config: { repo_ref } };
    expect((await t.request("PATCH", `/v2/deployments/${id}`, body)).status).to.equal(200);
  };
  const stages = (count: number) => t.platform.admin.advanceClock(count * STAGE_SECONDS);
  const interrupt = ({ id }: Deployment, revisionId: unknown) =>
    t.request("POST", `/v2/deployments/${id}/revisions/${String(revisionId)}/interrupt`);

  it("takes each deployment's revision through its stages, and the deployment to READY with the first of them", async () => {
    const ids = [(await t.create()).id, (await t.create()).id];
    for (const [status, of, passes] of [
      ["CREATING", "AWAITING_DATABASE", 0],
      ["BUILDING", "READY", 1],
      ["DEPLOYING", "READY", 1],
      ["DEPLOYED", "READY", 1],
    ] as const) {
      await stages(passes);
      for (const id of ids) {
        expect(await statuses(id)).to.deep.equal([status]);
        const { latest_revision_id: latest, ...deployment } = await t.get(id);
        expect(deployment.status).to.equal(of);
        expect(deployment.active_revision_id).to.equal(status === "DEPLOYED" ? latest : null);
      }
    }
  });

  it("builds and deploys one revision of a deployment at a time, the others wait in order", async () => {
    const { id } = await t.create();
    await patch(id, "a");
    await patch(id, "b");
    await stages(2);
    expect(await statuses(id)).to.deep.equal(["DEPLOYING", "QUEUED", "CREATING"]);
    await stages(1);
    expect(await statuses(id)).to.deep.equal(["DEPLOYED", "BUILDING", "QUEUED"]);
    await stages(2);
    expect(await statuses(id)).to.deep.equal(["DEPLOYED", "DEPLOYED", "BUILDING"]);
    const [, second] = await t.revisions(id);
    expect((await t.get(id)).active_revision_id).to.equal(second?.id);
    await stages(2);
    expect(await statuses(id)).to.deep.equal(["DEPLOYED", "DEPLOYED", "DEPLOYED"]);
    expect((await t.get(id)).active_revision_id).to.equal((await t.get(id)).latest_revision_id);
  });

  it("keeps the revision that runs active when a newer one fails, and goes on after that and an interruption", async () => {
    const made = await t.create();
    const { id, latest_revision_id } = made;
    await stages(3);
    t.platform.admin.addOutcome({ deploymentId: id, stage: "deploy", status: "DEPLOY_FAILED" });
    for (const ref of ["broken", "a", "b"]) await patch(id, ref);
    await stages(3);
    await interrupt(made, (await t.revisions(id))[1]?.id);
    await stages(1);
    const expected = ["DEPLOYED", "DEPLOY_FAILED", "INTERRUPTED", "DEPLOYING"];
    expect(await statuses(id)).to.deep.equal(expected);
    const after = await t.get(id);
    expect(after.active_revision_id).to.equal(latest_revision_id);
    expect(after.latest_revision_id).to.not.equal(latest_revision_id);
    expect(after.status).to.equal("READY");
  });

  it("ends what runs and what waits when the deployment is deleted, and goes on deleting after a restart", async () => {
    const { id } = await t.create();
    await patch(id, "a");
    await stages(1);
    await t.request("DELETE", `/v2/deployments/${id}`);
    await poll("both to be interrupted", async () => {
      const seen = await statuses(id);
      return { fits: seen.join() === "INTERRUPTED,INTERRUPTED", seen };
    });
    await t.restart();
    expect((await t.get(id)).status).to.equal("AWAITING_DELETE");
    await stages(1);
    await t.untilGone(id);
    await t.platform.close();
    const { database } = openLogs(join(t.dataDir, "platform.db"));
    expect(database.all(z.unknown(), "SELECT * FROM log_lines")).to.deep.equal([]);
    database.close();
  });

  it("has removed the logs of a deployment, in parts, before the deployment itself", async () => {
    await t.platform.close();
    const platform = makeParts(t.dataDir);
    const { deployments, logLines, revisions: stored } = platform.store;
    platform.scheduler.start();
    const { id, latest_revision_id: revisionId } = createOne(platform);
    await until("the end of the rollout", () => stored.get(revisionId)?.status === "DEPLOYED");
    const left = () => logLines.list({ revisionId, type: "deploy" }, "asc", 10).length;
    const counts = [left()];
    const remove = deployments.remove.bind(deployments);
    deployments.remove = (removed) => {
      counts.push(left());
      remove(removed);
    };
    platform.scheduler.remove(id);
    await until("the end of the deployment", () => counts.length > 1);
    expect(counts).to.deep.equal([1, 0]);
    await closeParts(platform);
  });

  it("starts the stage again that a stop or a kill cut off, and keeps the order", async () => {
    const { id } = await t.create();
    await patch(id, "a");
    await stages(2);
    const other = await t.create();
    await t.restart();
    expect(await statuses(id)).to.deep.equal(["DEPLOYING", "QUEUED"]);
    expect((await t.get(other.id)).status).to.equal("AWAITING_DATABASE");
    await t.restart();
    await stages(1);
    expect(await statuses(id)).to.deep.equal(["DEPLOYED", "BUILDING"]);
    await t.restart();
    await t.restart();
    await stages(2);
    expect(await statuses(id)).to.deep.equal(["DEPLOYED", "DEPLOYED"]);
    const { latest_revision_id: latest } = await t.get(id);
    await t.platform.close();
    const store = new Store(join(t.dataDir, "platform.db"));
    const passed = store.revisions.statusChanges(latest ?? "").map(({ status }) => status);
    store.close();
    expect(passed.join(" ")).to.equal(
      `CREATING QUEUED ${"AWAITING_BUILD BUILDING ".repeat(3)}AWAITING_DEPLOY DEPLOYING DEPLOYED`,
    );
  });

  it("leaves a revision that is made while the platform closes to its next start", async () => {
    const { source_config: config } = aGitDeployment(t.integrationId);
    const { id } = await t.create({ source_config: { ...config, build_on_push: true } });
    await stages(3);
    const closed = t.platform.close();
    const pushed = { repoUrl: config.repo_url, ref: "main", sha: "1".repeat(40) };
    expect(t.platform.admin.push(pushed)).to.equal(1);
    await closed;
    await stages(3);
    await t.restart();
    expect(await statuses(id)).to.deep.equal(["DEPLOYED", "CREATING"]);
    await stages(3);
    expect(await statuses(id)).to.deep.equal(["DEPLOYED", "DEPLOYED"]);
  });

  it("moves a deployment to READY after a kill just after the end of its only revision", async () => {
    const { id, latest_revision_id: revision } = await t.create();
    await t.platform.close();
    const store = new Store(join(t.dataDir, "platform.db"));
    const clock = new PlatformClock();
    moveRevision(store, clock, revision ?? "", { type: "interrupted" });
    store.deployments.setStatus(id, "AWAITING_DATABASE", clock.stamp());
    store.close();
    await t.restart();
    expect(await statuses(id)).to.deep.equal(["INTERRUPTED"]);
    expect((await t.get(id)).status).to.equal("READY");
  });
});
