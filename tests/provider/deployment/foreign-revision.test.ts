import { expect } from "chai";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import type { Props } from "../../../provider/arguments/props";
import { contextOf } from "../../support/lifecycle";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { gitArgs } from "../../support/program";

describe("a revision that another client created since the last update", () => {
  let test: TestPlatform;
  before(async () => void (test = await startTestPlatform()));
  after(() => test.close());

  const inputs = (name: string, value: string, buildOnPush: boolean): Props => ({
    ...gitArgs(test),
    sourceConfig: { ...gitArgs(test).sourceConfig, buildOnPush },
    name,
    env: { KEY: value },
  });
  /** The messages of an update after a revision that another client, or no recorded one, has created. */
  const said = async (name: string, { isForeign = true, buildOnPush = false } = {}) => {
    const lines: string[] = [];
    const context = contextOf(test.platform, lines);
    const { id, outs } = await lifecycle.create(inputs(name, "a", buildOnPush), context);
    if (isForeign) {
      const body = { source_revision_config: { repo_ref: "other" } };
      await test.request("PATCH", `/v2/deployments/${id}`, body);
      await test.untilRevision(id, "DEPLOYED");
    }
    await lifecycle.update(id, outs, inputs(name, "b", buildOnPush), context);
    expect((await test.get(id)).source_revision_config.repo_ref).to.equal(
      isForeign ? "other" : "main",
    );
    return lines.filter((line) => line.includes("was created elsewhere"));
  };

  it("is named in a warning, and what it has beside the program's change stays", async () => {
    const [warning, ...more] = await said("support");
    expect(warning).to.contain("`pulumi refresh` shows what else differs");
    expect(more).to.be.empty;
  });

  it("is none where nobody did, or where pushes create revisions", async () => {
    expect(await said("billing", { isForeign: false })).to.be.empty;
    expect(await said("sales", { buildOnPush: true })).to.be.empty;
  });
});
