import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { CANARY, Team } from "./team";

/** A job of a fork's pull request has none of these. */
const WITHOUT_KEYS =
  "env -u MODEL_API_KEY -u AGENTSERVER_API_KEY -u PULUMI_CONFIG_PASSPHRASE -u PULUMI_BACKEND_URL";

describe("the pipelines of examples/gitops, from a pull request to production", () => {
  let team: Team;
  let commit = "";
  let release = "";

  const activeCommits = async () =>
    (await team.deployments()).map(
      ({ source_revision_config: { repo_commit_sha } }) => repo_commit_sha,
    );

  before(async () => {
    team = await Team.create();
    commit = await team.git("rev-parse", "main");
    release = `refs/tags/release/${commit.slice(0, 12)}`;
  });
  after(() => team.remove());

  it("check types and unit tests without any key", async () => {
    const clone = await team.clone();
    const installed = await team.runIn(clone, "scripts/install.sh");
    expect(installed.code, installed.text).to.equal(0);
    const checked = await team.runIn(clone, `${WITHOUT_KEYS} scripts/check.sh`);
    expect(checked.code, checked.text).to.equal(0);
    expect(checked.text).to.contain("ok 1 - declares a tag").and.contain("# fail 0");
  });

  it("promote nothing before staging runs something", async () => {
    await team.tag("v0.1.0", commit);
    const { code, text } = await team.run("scripts/promote.sh refs/tags/v0.1.0");
    expect(text).to.equal("not promoted: no release to staging is recorded\n");
    expect(code).to.equal(1);
  });

  it("release a push to main to staging, and record the release", async () => {
    const { code, text } = await team.run("scripts/release.sh staging");
    expect(code, text).to.equal(0);
    expect(text).to.contain(`recorded as staging/1: ${release}`);
    expect(await team.tags("staging/")).to.deep.equal({ "staging/1": release });
    expect(await activeCommits()).to.deep.equal([commit]);
  });

  it("preview a pull request, on the screen and as the text of a comment", async () => {
    await team.commit("A louder agent", { "Pulumi.staging.yaml": LOUDER }, "louder");
    const clone = await team.clone("louder");
    const { code, text } = await team.runIn(clone, "scripts/preview.sh staging report.md");
    expect(code, text).to.equal(0);
    expect(text).to.contain(
      "an update creates a new revision: repoRef, variable LOG_LEVEL changed",
    );
    expect(text).to.match(/^Preview of staging\n\n~~~~\n/);
    expect(await readFile(join(clone, "report.md"), "utf8")).to.equal(text);
  });

  it("refuse to promote a branch", async () => {
    const { code, text } = await team.run("scripts/promote.sh refs/heads/main");
    expect(text).to.equal(
      "not promoted: refs/heads/main is not a tag (refs/tags/…), and a branch moves\n",
    );
    expect(code).to.equal(1);
  });

  it("refuse to promote a tag of anything that staging does not run", async () => {
    const other = await team.git("rev-parse", "louder");
    await team.tag("v0.2.0", other);
    const { code, text } = await team.run("scripts/promote.sh refs/tags/v0.2.0");
    expect(text).to.equal(
      `not promoted: refs/tags/v0.2.0 is commit ${other}, but staging runs commit ${commit} (staging/1); tag that one, or wait until staging runs yours\n`,
    );
    expect(code).to.equal(1);
    expect(await team.stacks()).to.deep.equal(["staging"]);
  });

  it("promote exactly what staging runs, protected and with the rollback armed", async () => {
    await team.commit("Not on staging yet");
    const { code, text } = await team.run("scripts/promote.sh refs/tags/v0.1.0", "v0.1.0");
    expect(code, text).to.equal(0);
    expect(text).to.contain(`promoting staging/1: ${release}`);
    expect(await team.tags("production/")).to.deep.equal({ "production/1": release });
    expect(await activeCommits()).to.deep.equal([commit, commit]);
    const state = await team.state("production");
    expect(state).to.contain('"protect":true').and.contain('"onFailure":"rollback"');
  });

  it("print and store no key", async () => {
    for (const text of [team.printed, await team.stored()])
      for (const key of [CANARY, team.platform.platform.apiKey]) expect(text).not.to.contain(key);
  });
});

const LOUDER = "config:\n  support-agent:logLevel: trace\n";
