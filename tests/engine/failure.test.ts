import { expect } from "chai";
import { expectDone } from "../support/run";
import { describeFrontEnds } from "../support/front-ends";
import { useStack } from "../support/engine";
import { gitArgs, supportProgram } from "../support/program";

const SECRET = "value-CANARY-of-a-secret";

describeFrontEnds("a revision that fails", "short", "nightly", (frontEnd) => {
  let id = "";

  const declare = (repoRef: string) => {
    stack.program = supportProgram({
      ...gitArgs(test, { repoRef }),
      secrets: { MODEL_API_KEY: SECRET },
    });
  };

  const { test, stack } = useStack({ frontEnd });

  it("keeps id, outputs and reasons when the first revision fails, with the log as it is and without secrets", async () => {
    declare("main");
    const hostile = "\x1b]0;title\x07<{%fg 1%}>red<{%nonsense%}> and <{% open";
    test.fails("BUILD_FAILED", `npm ERR! missing module, seen ${SECRET}\n${hostile}`);
    const { ok, text } = await stack.up();
    expect(ok).to.equal(false);
    const state = await stack.deployment();
    id = state.id;
    expect(state.outputs).to.include({ ready: false, tenantId: test.platform.workspaceId });
    expect(state.outputs).to.have.nested.property("rollout.state", "failed");
    expect(state.initErrors).to.have.length(1);
    expect(state.initErrors.join())
      .to.match(/^deployment 'support-test-[0-9a-f]{7}': revision \S+ ended with BUILD_FAILED/)
      .and.contain("npm ERR! missing module")
      .and.contain("run `pulumi up` again; it creates one new revision");
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
    test.fails("DEPLOY_FAILED", "it died");
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

  it("is the only error of ours where the run goes on, without what it leaves out", async () => {
    stack.program = async ({ Deployment, Thread }) => {
      const { url: deploymentUrl } = new Deployment("support", gitArgs(test));
      new Thread("of-it", { deploymentUrl, graphId: "agent" });
    };
    test.fails("BUILD_FAILED", "it broke");
    const { ok, text } = await stack.up({ continueOnError: true });
    expect(ok).to.equal(false);
    expect(text).to.contain("it broke").and.not.to.contain("deploymentUrl is required");
    expect((await stack.destroy()).ok).to.equal(true);
  });
});
