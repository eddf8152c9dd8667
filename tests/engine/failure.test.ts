import { expect } from "chai";
import { expectDone } from "../support/run";
import { describeFrontEnds } from "../support/front-ends";
import { settingsFor, type TestStack, useStack } from "../support/engine";
import type { TestPlatform } from "../support/platform";
import { gitArgs, supportProgram } from "../support/program";

const SECRET = "value-CANARY-of-a-secret";

describeFrontEnds(
  "a revision that fails, on the real engine",
  (frontEnd) => {
    let test: TestPlatform;
    let stack: TestStack;
    let id = "";

    const declare = (repoRef: string, more = {}) => {
      stack.program = supportProgram({
        ...gitArgs(test),
        sourceRevisionConfig: { repoRef, graphConfigPath: "langgraph.json" },
        secrets: { MODEL_API_KEY: SECRET },
        ...more,
      });
    };

    useStack({ frontEnd }, (made) => ({ test, stack } = made));

    it("keeps id, outputs and reasons when the first revision fails, with the log as it is and without secrets", async () => {
      declare("main");
      const hostile = "\x1b]0;title\x07<{%fg 1%}>red<{%nonsense%}> and <{% open";
      const reason = `npm ERR! missing module, seen ${SECRET}\n${hostile}`;
      test.platform.admin.addOutcome({ stage: "build", status: "BUILD_FAILED", reason });
      const { ok, text } = await stack.up();
      expect(ok).to.equal(false);
      const state = await stack.deployment();
      id = state.id;
      expect(state.outputs).to.include({ ready: false, tenantId: test.platform.workspaceId });
      expect(state.outputs).to.have.nested.property("rollout.state", "failed");
      expect(state.initErrors).to.have.length(1);
      const [headline, serving, ...more] = state.initErrors.join().split("\n");
      const rest = more.join("\n");
      expect(headline).to.match(
        /^deployment 'support-test-[0-9a-f]{7}': revision [0-9a-f-]{36} ended with BUILD_FAILED after \d+ s$/,
      );
      expect(serving?.trim()).to.equal("none of its revisions serves");
      expect(rest).to.contain("the build log ends with").and.contain("npm ERR! missing module");
      expect(rest).to.contain("run `pulumi up` again; it creates one new revision");
      // Nothing that a terminal or Pulumi's CLI would obey.
      const seen = String.raw`\x1b]0;title\x07<\{%fg 1%}>red<\{%nonsense%}> and <\{% open`;
      expect(text).to.contain(seen);
      for (const shown of [text, state.initErrors.join(), await stack.stateFiles()])
        expect(shown).not.to.contain(SECRET);
    });

    it("creates exactly one new revision of the same deployment at the next up", async () => {
      const { changes, messages } = await stack.preview();
      expect(changes).to.deep.equal({ same: 1, update: 1 });
      expect(messages.join()).to.contain("new revision of these inputs, since revision");
      const { text } = await expectDone(stack.up());
      expect(text, "a warning of Pulumi").not.to.contain("additional secret outputs");
      const state = await stack.deployment();
      expect(state.id).to.equal(id);
      expect(state.outputs).to.include({ ready: true });
      expect(state.initErrors).to.be.empty;
      expect(await test.revisions(id)).to.have.length(2);
      expect((await stack.preview()).changes).to.deep.equal({ same: 2 });
    });

    it("does not forget the failure at a refresh, which clears the engine's own record of it", async () => {
      declare("broken");
      const died = { stage: "deploy", status: "DEPLOY_FAILED", reason: "it died" } as const;
      test.platform.admin.addOutcome(died);
      const { active_revision_id: active } = await test.get(id);
      expect((await stack.up()).ok).to.equal(false);
      const failed = await stack.deployment();
      expect(failed.initErrors.join()).to.contain(`the previous revision, ${active}, still serves`);
      await stack.refresh();
      const { initErrors, outputs } = await stack.deployment();
      expect(initErrors).to.be.empty;
      expect(outputs).to.have.nested.property("rollout.state", "failed");
      expect(outputs).to.have.nested.property("lastGoodRevision.id", active);
      expect((await stack.preview()).changes).to.deep.equal({ same: 1, update: 1 });
      await expectDone(stack.up());
      expect(await test.revisions(id)).to.have.length(4);
    });

    it("ends a wait at its time limit, and waits on at the next up without a second revision", async () => {
      declare("slow", { wait: { timeoutSeconds: 5 } });
      await test.restart({ stageSeconds: 3600 });
      await stack.configure(settingsFor(test.platform));
      const first = await stack.up();
      expect(first.ok).to.equal(false);
      const { initErrors, outputs } = await stack.deployment();
      expect(initErrors[0]).to.match(/^timed out after 5 s: deployment .* is still CREATING/m);
      expect(outputs).to.have.nested.property("rollout.state", "pending");
      expect(await test.revisions(id)).to.have.length(5);

      expect((await stack.preview()).messages.join()).to.contain("waits for revision");
      await test.restart({ stageSeconds: 0.01 });
      await expectDone(stack.up());
      expect(await test.revisions(id)).to.have.length(5);
      expect((await stack.deployment()).outputs).to.include({ ready: true });
    });

    it("is the only error of ours where the run goes on, without what it leaves out", async () => {
      stack.program = async ({ Deployment, Thread }) => {
        const { url: deploymentUrl } = new Deployment("support", gitArgs(test));
        new Thread("of-it", { deploymentUrl, graphId: "agent" });
      };
      test.platform.admin.addOutcome({
        stage: "build",
        status: "BUILD_FAILED",
        reason: "it broke",
      });
      const { ok, text } = await stack.up({ continueOnError: true });
      expect(ok).to.equal(false);
      expect(text).to.contain("it broke").and.not.to.contain("deploymentUrl is required");
      expect((await stack.destroy()).ok).to.equal(true);
    });
  },
  { native: "nightly" },
);
