import { expect } from "chai";
import type { GitHostDeploymentArgs } from "pulumi-agentserver";
import { aFreePort } from "../local/free-port";
import { recordOf } from "../../shared/records";
import { settingsFor, TestStack } from "../support/engine";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { gitArgs, supportProgram } from "../support/program";
import { describeLong } from "../support/tiers";

describeLong("an unfinished rollout on the real engine", () => {
  let test: TestPlatform;
  let stack: TestStack;
  let id = "";

  const declare = (repoRef: string, more: Partial<GitHostDeploymentArgs> = {}) => {
    stack.program = supportProgram({
      ...gitArgs(test),
      sourceRevisionConfig: { repoRef, graphConfigPath: "langgraph.json" },
      ...more,
    });
  };
  const fail = () =>
    test.platform.admin.addOutcome({ stage: "build", status: "BUILD_FAILED", reason: "as told" });
  const rolloutState = async () => recordOf((await stack.deployment()).outputs["rollout"])["state"];
  const expectSettled = async (count: number) => {
    expect(await test.revisions(id)).to.have.length(count);
    expect((await stack.deployment()).outputs).to.include({ ready: true });
    expect((await stack.preview()).changes).to.deep.equal({ same: 2 });
  };

  before(async () => {
    // A refresh asks where the last update did.
    test = await startTestPlatform({ port: await aFreePort() });
    stack = await TestStack.create(settingsFor(test.platform), async () => undefined);
    declare("main");
    await stack.up();
    ({ id } = await stack.deployment());
  });
  after(async () => {
    await stack.remove();
    await test.close();
  });

  describe("that was still going", () => {
    const outOfTime = async (repoRef: string) => {
      await test.restart({ stageSeconds: 3600 });
      declare(repoRef, { wait: { timeoutSeconds: 1 } });
      expect((await stack.up()).ok).to.equal(false);
      expect(await rolloutState()).to.equal("pending");
    };

    it("stays so at a refresh, and is done at the refresh after it was deployed, without an update", async () => {
      await outOfTime("second");
      await stack.refresh();
      expect(await rolloutState()).to.equal("pending");
      await test.restart({ stageSeconds: 0.01 });
      await test.untilRevision(id, "DEPLOYED");
      await stack.refresh();
      expect(await rolloutState()).to.equal("done");
      await expectSettled(2);
    });

    it("is waited for by up --refresh, which makes no second revision", async () => {
      await outOfTime("third");
      await test.restart({ stageSeconds: 0.01 });
      const { ok, text } = await stack.up({ refresh: true });
      expect(ok, text).to.equal(true);
      await expectSettled(3);
    });
  });

  describe("that failed", () => {
    it("is followed by exactly one new revision at up --refresh, though the engine forgets the failure", async () => {
      declare("fourth");
      fail();
      expect((await stack.up()).ok).to.equal(false);
      expect(await test.revisions(id)).to.have.length(4);
      const { ok, text } = await stack.up({ refresh: true });
      expect(ok, text).to.equal(true);
      await expectSettled(5);
    });

    it("is followed by one revision of what was before when the change is taken back", async () => {
      declare("fifth");
      fail();
      expect((await stack.up()).ok).to.equal(false);
      declare("fourth");
      expect((await stack.up()).ok).to.equal(true);
      expect((await test.get(id)).source_revision_config.repo_ref).to.equal("fourth");
      await expectSettled(7);
    });
  });

  describe("at the end", () => {
    it("does not stand in the way of destroy", async () => {
      await test.restart({ stageSeconds: 3600 });
      declare("last", { wait: { timeoutSeconds: 1 } });
      expect((await stack.up()).ok).to.equal(false);
      await test.restart({ stageSeconds: 0.01 });
      const { ok, text } = await stack.destroy();
      expect(ok, text).to.equal(true);
      expect((await test.request("GET", `/v2/deployments/${id}`)).status).to.equal(404);
    });
  });
});
