import { expect } from "chai";
import { expectDone } from "../support/run";
import { describeFrontEnds } from "../support/front-ends";
import { settingsFor, TestStack, useStack } from "../support/engine";
import { gitArgs, supportProgram } from "../support/program";

const POST = { method: "POST", path: "/v2/deployments" };

describeFrontEnds("creating under a derived name", "short", "nightly", (frontEnd) => {
  const { test, stack } = useStack({ frontEnd }, () => {
    stack.program = supportProgram(gitArgs(test));
  });

  const live = async () => (await test.deployments()).map(({ id }) => id);
  const posts = () => test.platform.admin.requests()["POST /v2/deployments"];

  const list = { method: "GET", path: "/v2/deployments" };
  /** An up whose POST is carried out, and of which the service says nothing more. */
  const unconfirmed = async () => {
    test.answers(list, 200, { resources: [], offset: 0 });
    test.answers(list, 403, undefined, 99);
    test.platform.admin.addFault({ match: POST, times: 1, action: "drop-after" });
    const run = await stack.up();
    expect(run.ok).to.equal(false);
    return run;
  };

  it("keeps a provisional id where the arrival of the POST cannot be confirmed, and goes on with what it created", async () => {
    test.platform.admin.clearRequests();
    const first = await unconfirmed();
    expect(first.text).to.contain("it may have created").and.contain("run `pulumi up` again");
    test.platform.admin.clearFaults();
    expect((await stack.deployment()).id).to.match(/^unconfirmed:support-/);
    await expectDone(stack.refresh());
    await expectDone(stack.up());
    const [made, ...others] = await test.deployments();
    expect(others).to.be.empty;
    expect((await stack.deployment()).id).to.equal(made?.id);
    expect(posts()).to.equal(1);
    expect((await stack.preview()).changes).to.deep.equal({ same: 2 });
  });

  it("leaves one that another backend's stack of the same name and program has, also when that is destroyed", async () => {
    const { id } = await stack.deployment();
    const program = supportProgram(gitArgs(test));
    const other = await TestStack.create(settingsFor(test.platform), program, frontEnd);
    try {
      const { ok, text } = await other.up();
      expect(ok).to.equal(false);
      expect(text)
        .to.contain(`deployment ${id} has this name already`)
        .and.contain("records neither it nor an interrupted create of this resource");
      await expectDone(other.destroy());
      expect(await live()).to.deep.equal([id]);
    } finally {
      await other.remove();
    }
  });

  it("is deleted by a destroy that refreshes, also where the up before it failed again", async () => {
    await expectDone(stack.destroy());
    await unconfirmed();
    expect((await stack.up()).ok).to.equal(false);
    test.platform.admin.clearFaults();
    expect((await stack.deployment()).id).to.match(/^unconfirmed:support-/);
    expect(await live()).to.have.length(1);
    await expectDone(stack.destroy({ refresh: true }));
    expect(await live()).to.be.empty;
  });
});
