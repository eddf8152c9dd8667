import { expect } from "chai";
import { join } from "node:path";
import { textsIn } from "../../support/state";
import { describeLong } from "../../support/tiers";
import { CANARY, releaseOf, useTeam } from "./team";

/** A job of a fork's pull request has none of these. */
const WITHOUT_KEYS =
  "env -u MODEL_API_KEY -u AGENTSERVER_API_KEY -u PULUMI_CONFIG_PASSPHRASE -u PULUMI_BACKEND_URL";
const BROKEN = { "agent/langgraph.json": "{" };

describeLong("the pipelines of examples/gitops, from a pull request to production and back", () => {
  const team = useTeam();
  let first = "";
  let second = "";
  const branchOf = (commit: string) => `promote/production-${commit.slice(0, 12)}`;

  before(async () => (first = await team.git("rev-parse", "main")));

  it("check types and unit tests without any key", async () => {
    const text = await team.succeed(`${WITHOUT_KEYS} npm test`);
    expect(text).to.contain("ok 1 - declares a tag").and.contain("# fail 0");
  });

  it("set staging to the newest commit, tag it as passed, and leave nothing in the clone", async () => {
    const clone = await team.clone();
    const text = await team.succeedIn(clone, "scripts/deploy.sh staging");
    expect(text).to.contain(`staging runs ${releaseOf(first)}, as the default branch says`);
    expect(await team.serving("staging")).to.equal(first);
    expect(await team.tags("passed/")).to.deep.equal([`passed/staging/${first}`]);
    expect(await team.gitIn(clone, "status", "--porcelain", "--", ":!report.md")).to.equal("");
  });

  it("preview a pull request by name and value of what changes, and show no secret", async () => {
    const louder = { "Pulumi.staging.yaml": "config:\n  support-agent:logLevel: trace\n" };
    await team.commit("A louder agent", louder, "louder");
    const text = await team.succeed("scripts/preview.sh", "louder");
    expect(text).to.match(/^preview staging\n\nThe release \w+ changes this:\n/);
    expect(text).to.contain("\n  variable LOG_LEVEL: info → trace\n");
  });

  it("deploy nothing to production before its line says so, also where a proposal is rejected", async () => {
    expect(await team.succeed("scripts/promote.sh production")).to.contain(branchOf(first));
    await team.git("push", "--quiet", "origin", "--delete", branchOf(first));
    const nothing = "there is nothing that production is to run yet\n";
    expect(await team.succeed("scripts/deploy.sh production")).to.equal(nothing);
    expect(await team.stacks()).to.deep.equal(["staging"]);
  });

  it("deploy what was proposed and merged, protected and with the rollback armed", async () => {
    await team.succeed("scripts/promote.sh production");
    await team.merge(branchOf(first));
    await team.succeed("scripts/deploy.sh production");
    expect(await team.serving("production")).to.equal(first);
    expect(await team.tags("passed/production/")).to.deep.equal([`passed/production/${first}`]);
    const state = await team.state("production");
    expect(state).to.contain('"protect":true').and.contain('"onFailure":"rollback"');
  });

  it("go back by a revert while another release runs, which goes on to it", async () => {
    second = await team.commit("Newer");
    await team.tag(`passed/staging/${second}`, second);
    await team.setLine("production", second);
    await team.holdBuilds();
    const running = await team.start("scripts/deploy.sh production");
    await running.printed("CREATING");
    await team.git("revert", "--no-edit", "HEAD");
    await team.commit("Production goes back");
    await team.continueBuilds();
    const { code, text } = await running.finished;
    expect(code, text).to.equal(0);
    expect(text).to.contain(`${first} is ${releaseOf(first)}, which changes this:`);
    expect(await team.serving("production")).to.equal(first);
  });

  it("show the log of a build that breaks, which passes nothing, and leave staging as it was", async () => {
    await team.commit("Break the agent", BROKEN);
    const text = await team.fail("scripts/deploy.sh staging");
    expect(text).to.contain("ended with BUILD_FAILED after");
    expect(text).to.contain("| graph configuration 'agent/langgraph.json' is not valid JSON");
    const passed = [first, second].map((commit) => `passed/staging/${commit}`);
    expect(await team.tags("passed/staging/")).to.have.members(passed);
    expect(await team.serving("staging")).to.equal(first);
  });

  it("print and store no key", async () => {
    const stored = await textsIn(join(team.dir, "state"));
    for (const key of [CANARY, team.platform.platform.apiKey])
      expect(team.printed + stored).not.to.contain(key);
  });
});
