import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { describeNightly } from "../../support/tiers";
import { useTeam } from "./team";

describeNightly("the environments of pull requests in examples/gitops", () => {
  const team = useTeam();

  const deployments = () => team.platform.deployments();
  const expectNothing = async () => {
    expect(await deployments()).to.deep.equal([]);
    expect(await team.stacks()).to.deep.equal([]);
    expect(await team.tags("pr-")).to.deep.equal([]);
  };

  before(() => team.commit("A pull request", {}, "feature"));

  it("are created from exactly the commit, and report their URL", async () => {
    const commit = await team.git("rev-parse", "feature");
    const clone = await team.clone("feature");
    await team.succeedIn(clone, "scripts/deploy.sh pr-7");
    const [deployment, ...others] = await deployments();
    expect(others).to.be.empty;
    expect(deployment?.source_revision_config).to.include({
      repo_ref: `refs/tags/pr-7/${commit.slice(0, 12)}`,
      repo_commit_sha: commit,
    });
    const report = `deploy pr-7\n\n${deployment?.url} runs commit ${commit}\n`;
    expect(await readFile(join(clone, "report.md"), "utf8")).to.equal(report);
  });

  it("follow the pull request, and are destroyed with all their tags, which a second time is fine", async () => {
    await team.commit("A second commit", {}, "feature");
    await team.succeed("scripts/deploy.sh pr-7", "feature");
    expect(await team.tags("pr-7/")).to.have.length(2);
    await team.succeed("scripts/destroy-environment.sh pr-7");
    await expectNothing();
    const text = await team.succeed("scripts/destroy-environment.sh pr-7");
    expect(text).to.contain("there is no environment pr-7");
  });

  it("are destroyed where their create was never confirmed", async () => {
    const { admin } = team.platform.platform;
    const list = { method: "GET", path: "/v2/deployments" };
    admin.addFault({ match: { ...list, method: "POST" }, action: "drop-after" });
    admin.addFault({ match: list, action: "delay", delayMs: 1 });
    admin.addFault({ match: list, action: "status", status: 403, times: 99 });
    const text = await team.fail("scripts/deploy.sh pr-8", "feature");
    expect(text).to.contain("it may have created");
    admin.clearFaults();
    await team.succeed("scripts/destroy-environment.sh pr-8");
    await expectNothing();
  });

  it("are swept when their pull request is not open, and kept when it is, cannot be known, or opens meanwhile", async () => {
    for (const name of ["pr-9", "pr-10"])
      await team.succeed(`scripts/deploy.sh ${name}`, "feature");
    await team.succeed("scripts/sweep.sh printf '%s\\n' 1 10 100");
    await team.fail("scripts/sweep.sh false");
    expect(await team.stacks()).to.deep.equal(["pr-10"]);
    await team.succeed("scripts/sweep.sh scripts/deploy.sh pr-11", "feature");
    expect(await team.stacks()).to.deep.equal(["pr-11"]);
    await team.succeed("scripts/sweep.sh true");
    await expectNothing();
  });
});
