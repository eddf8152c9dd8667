import { expect } from "chai";
import type { GitHostDeploymentArgs } from "pulumi-agentserver";
import { aFreePort } from "../local/free-port";
import { recordOf } from "../../shared/records";
import { settingsFor, TestStack } from "../support/engine";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { gitArgs, supportProgram } from "../support/program";

describe("an unfinished rollout on the real engine", () => {
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
  const fail = (status: "BUILD_FAILED" | "INTERRUPTED") =>
    test.platform.admin.addOutcome({ stage: "build", status, reason: "as told" });
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
      fail("BUILD_FAILED");
      expect((await stack.up()).ok).to.equal(false);
      expect(await test.revisions(id)).to.have.length(4);
      const { ok, text } = await stack.up({ refresh: true });
      expect(ok, text).to.equal(true);
      await expectSettled(5);
    });

    it("by an interruption is followed by exactly one new revision too, and says so", async () => {
      declare("fifth");
      fail("INTERRUPTED");
      const failed = await stack.up();
      expect(failed.ok).to.equal(false);
      expect(failed.text).to.contain("was interrupted");
      expect((await stack.preview()).messages.join()).to.contain("new revision of the same inputs");
      expect((await stack.up()).ok).to.equal(true);
      await expectSettled(7);
    });

    it("is followed by one revision of what was before when the change is taken back", async () => {
      declare("sixth");
      fail("BUILD_FAILED");
      expect((await stack.up()).ok).to.equal(false);
      declare("fifth");
      expect((await stack.up()).ok).to.equal(true);
      expect((await test.get(id)).source_revision_config.repo_ref).to.equal("fifth");
      await expectSettled(9);
    });
  });

  describe("beside what others do", () => {
    it("does not fail for a revision that a push made, and makes none for it", async () => {
      const { sourceConfig } = gitArgs(test);
      declare("main", { sourceConfig: { ...sourceConfig, buildOnPush: true } });
      expect((await stack.up()).ok).to.equal(true);
      const { repoUrl } = sourceConfig;
      fail("BUILD_FAILED");
      const pushed = test.platform.admin.push({ repoUrl, ref: "main", sha: "a".repeat(40) });
      expect(pushed).to.equal(1);
      await test.untilRevision(id, "BUILD_FAILED");
      await stack.refresh();
      await expectSettled(11);
      expect((await stack.up()).changes).to.deep.equal({ same: 2 });
    });

    it("corrects a variable that was added elsewhere with one revision, and keeps its value secret", async () => {
      declare("main", { env: { LOG_LEVEL: "info" } });
      await stack.up();
      const secrets = [
        { name: "LOG_LEVEL", value: "info" },
        { name: "THEIRS", value: "value-CANARY-of-theirs" },
      ];
      await test.request("PATCH", `/v2/deployments/${id}`, { secrets });
      await test.untilRevision(id, "DEPLOYED");
      expect((await stack.refresh()).changes).to.deep.equal({ same: 1, update: 1 });
      expect(await stack.stateFiles()).not.to.contain("CANARY");
      const { messages, text } = await stack.preview();
      expect(messages).to.deep.equal(["an update creates a new revision: variable THEIRS removed"]);
      expect(text).not.to.contain("CANARY");
      expect((await stack.up()).ok).to.equal(true);
      expect((await test.get(id)).secrets).to.deep.equal([secrets[0]]);
      await expectSettled(14);
    });

    it("refuses to remove the last variable, at the preview already, and loses nothing", async () => {
      declare("main", { env: {} });
      for (const run of [() => stack.preview(), () => stack.up()]) {
        const { ok, text } = await run();
        expect(ok).to.equal(false);
        expect(text).to.contain("the last variable can't be removed (LOG_LEVEL)");
      }
      declare("main", { env: { LOG_LEVEL: "info" } });
      await expectSettled(14);
    });
  });

  describe("at the end", () => {
    it("does not stand in the way of destroy", async () => {
      await test.restart({ stageSeconds: 3600 });
      declare("last", { env: { LOG_LEVEL: "info" }, wait: { timeoutSeconds: 1 } });
      expect((await stack.up()).ok).to.equal(false);
      await test.restart({ stageSeconds: 0.01 });
      const { ok, text } = await stack.destroy();
      expect(ok, text).to.equal(true);
      expect((await test.request("GET", `/v2/deployments/${id}`)).status).to.equal(404);
    });
  });
});
