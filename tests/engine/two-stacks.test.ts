import { expect } from "chai";
import type { DeploymentArgs } from "pulumi-agentserver";
import { expectDone } from "../support/run";
import { settingsFor, TestStack } from "../support/engine";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { gitArgs, supportProgram } from "../support/program";
import { describeLong } from "../support/tiers";

describeLong("two stacks on one deployment, on the real engine", () => {
  let test: TestPlatform;
  let ours: TestStack;
  let theirs: TestStack;

  const program = (more: Pick<DeploymentArgs, "env" | "adoptExisting">) =>
    supportProgram({ ...gitArgs(test), name: "support", ...more });

  before(async () => {
    test = await startTestPlatform();
    const settings = settingsFor(test.platform);
    ours = await TestStack.create(settings, program({ env: { MODEL: "small" } }));
    await expectDone(ours.up());
    theirs = await ours.beside("theirs", settings, program({ env: { MODEL: "small" } }));
  });
  after(async () => {
    await ours.remove();
    await test.close();
  });

  it("refuses the second stack, which does not ask for the deployment that is there", async () => {
    const { ok, text } = await theirs.up();
    expect(ok).to.equal(false);
    expect(text).to.contain("has this name already").and.contain("adoptExisting: true");
  });

  it("does not notice in a plain preview what the other stack changed", async () => {
    theirs.program = program({ env: { MODEL: "large" }, adoptExisting: true });
    await expectDone(theirs.up());
    expect((await ours.preview()).changes).to.deep.equal({ same: 2 });
  });

  it("shows it as drift after a refresh, and takes it back with the next up", async () => {
    const { text } = await ours.refresh();
    expect(text).to.contain("env");
    const { changes, messages } = await ours.preview();
    expect(changes).to.deep.equal({ same: 1, update: 1 });
    expect(messages.join()).to.contain("variable MODEL changed");
    await expectDone(ours.up());
    const { id } = await ours.deployment();
    expect((await test.get(id)).secrets).to.deep.equal([{ name: "MODEL", value: "small" }]);
  });

  it("says what to do about a deployment that the other stack destroyed, and sends nothing", async () => {
    await expectDone(theirs.destroy());
    ours.program = program({ env: { MODEL: "medium" } });
    const { ok, text } = await ours.up();
    expect(ok).to.equal(false);
    expect(text).to.contain("no longer exists").and.contain("pulumi refresh");
    await ours.refresh();
    await expectDone(ours.up());
  });
});
