import { expect } from "chai";
import { settingsFor, TestStack } from "../support/engine";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { gitArgs, supportProgram } from "../support/program";
import { describeLong } from "../support/tiers";

describeLong("onFailure: rollback on the real engine", () => {
  let test: TestPlatform;
  let stack: TestStack;
  let id = "";

  const declare = (tag: string, model: string) => {
    stack.program = supportProgram({
      ...gitArgs(test),
      sourceRevisionConfig: { repoRef: `refs/tags/${tag}`, graphConfigPath: "langgraph.json" },
      env: { MODEL: model },
      onFailure: "rollback",
    });
  };
  const fail = () =>
    test.platform.admin.addOutcome({ stage: "deploy", status: "DEPLOY_FAILED", reason: "it died" });

  before(async () => {
    test = await startTestPlatform();
    stack = await TestStack.create(settingsFor(test.platform), async () => undefined);
    declare("v1", "small");
    await stack.up();
    ({ id } = await stack.deployment());
  });
  after(async () => {
    await stack.remove();
    await test.close();
  });

  it("puts the old values back in one revision, fails all the same, and says what runs", async () => {
    declare("v2", "large");
    fail();
    const { ok, text } = await stack.up();
    expect(ok).to.equal(false);
    const live = await test.get(id);
    expect(live.source_revision_config.repo_ref).to.equal("refs/tags/v1");
    expect(live.secrets).to.deep.equal([{ name: "MODEL", value: "small" }]);
    expect(live.active_revision_id).to.equal(live.latest_revision_id);
    expect(await test.revisions(id)).to.have.length(3);
    expect(text).to.contain("ended with DEPLOY_FAILED");
    expect(text).to.contain(
      `rolled back: revision ${live.latest_revision_id} of the old values serves`,
    );
  });

  it("tries the new values again at the next up", async () => {
    expect((await stack.preview()).changes).to.deep.equal({ same: 1, update: 1 });
    const { ok, text } = await stack.up();
    expect(ok, text).to.equal(true);
    expect((await test.get(id)).source_revision_config.repo_ref).to.equal("refs/tags/v2");
    expect(await test.revisions(id)).to.have.length(4);
    expect((await stack.preview()).changes).to.deep.equal({ same: 2 });
  });

  it("does not roll a failed rollback back", async () => {
    declare("v3", "large");
    fail();
    fail();
    const { ok, text } = await stack.up();
    expect(ok).to.equal(false);
    expect(text).to.contain("the rollback failed too");
    expect(await test.revisions(id)).to.have.length(6);
    expect((await stack.deployment()).outputs).to.have.nested.property("rollout.state", "failed");
  });
});
