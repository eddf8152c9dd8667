import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { CANARY, Team } from "./team";
import { EXAMPLE } from "./workflow-files";

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
    const installed = await team.runIn(clone, "npm ci");
    expect(installed.code, installed.text).to.equal(0);
    const checked = await team.runIn(clone, `${WITHOUT_KEYS} npm test`);
    expect(checked.code, checked.text).to.equal(0);
    expect(checked.text).to.contain("ok 1 - declares a tag").and.contain("# fail 0");
  });

  it("promote nothing before staging runs something", async () => {
    const { code, text } = await team.run("scripts/promote.sh --yes production");
    expect(text).to.equal("promote: refused: no release to staging is recorded\n");
    expect(code).to.equal(1);
  });

  it("preview the first release, too", async () => {
    const { code, text } = await team.run("scripts/preview.sh");
    expect(text).to.contain(
      "creates the stack:\n\n~~~~\nerror: no stack named 'staging' found\n~~~~\n",
    );
    expect(code).to.equal(0);
  });

  it("release a push to main to staging, record the release, and leave nothing in the clone", async () => {
    const clone = await team.clone();
    const { code, text } = await team.runIn(clone, "scripts/release.sh staging");
    expect(code, text).to.equal(0);
    expect(text).to.contain(`recorded as staging/1: ${release}`);
    expect(await team.tags("staging/")).to.deep.equal({ "staging/1": release });
    expect(await activeCommits()).to.deep.equal([commit]);
    expect(await team.gitIn(clone, "status", "--porcelain")).to.equal("");
    expect(await team.gitIn(clone, "worktree", "list")).not.to.contain("\n");
  });

  it("preview a pull request: first what changes, then all, whatever it prints", async () => {
    const settings = await team.git("show", "main:Pulumi.yaml");
    const support = await team.git("show", "main:support.ts");
    await team.commit(
      "A louder agent",
      {
        "Pulumi.staging.yaml": LOUDER,
        "Pulumi.yaml": settings.replace("main: index.ts", "main: talkative.ts"),
        "talkative.ts": TALKATIVE,
        "support.ts": support.replace("env: {", `env: { ODD: ${JSON.stringify(ODD)},`),
      },
      "louder",
    );
    const clone = await team.clone("louder");
    const { code, text } = await team.runIn(clone, "scripts/preview.sh", {
      MODEL_API_KEY: `other-${CANARY}`,
    });
    expect(code, text).to.equal(0);
    const [first = "", all = ""] = text.split("\n<details>");
    expect(first).to.match(
      /^Preview of staging\n\nA release of commit \w+ changes this:\n\n~~~~~~\nsupport: update\n/,
    );
    expect(first).to.contain("\n  variable LOG_LEVEL: info → trace\n").and.not.to.contain("urn:");
    expect(first).to.contain("\n  variable MODEL_API_KEY: [secret]\n");
    expect(first).to.contain(`\n  variable ODD added: ${JSON.stringify(ODD)}\n`);
    expect(all).to.contain(
      "an update creates a new revision: repoRef, repoCommitSha, variable ODD added, variable LOG_LEVEL changed",
    );
    expect(text.match(/^~~~~~~$/gm), "fences that nothing ends").to.have.length(4);
    expect(await readFile(join(clone, "report.md"), "utf8")).to.equal(text);
  });

  it("show a promotion, and change nothing without a yes", async () => {
    const clone = await team.clone();
    const { code, text } = await team.runIn(clone, "scripts/promote.sh production", {
      GITHUB_OUTPUT: join(clone, "output"),
    });
    expect(code, text).to.equal(0);
    expect(text).to.contain(`promoting staging/1 to production: ${release}`);
    expect(text).to.contain("nothing was changed; with --yes it is done");
    expect(await readFile(join(clone, "output"), "utf8")).to.equal("record=staging/1\n");
    expect(await team.stacks()).to.deep.equal(["staging"]);
  });

  it("promote exactly what staging runs, protected and with the rollback armed", async () => {
    await team.commit("Not on staging yet");
    const { code, text } = await team.run("scripts/promote.sh --yes production");
    expect(code, text).to.equal(0);
    expect(await team.tags("production/")).to.deep.equal({ "production/1": release });
    expect(await activeCommits()).to.deep.equal([commit, commit]);
    const state = await team.state("production");
    expect(state).to.contain('"protect":true').and.contain('"onFailure":"rollback"');
  });

  it("promote to an environment that was added by one entry and one file", async () => {
    const path = join(EXAMPLE, "environments.json");
    const { regions, environments } = JSON.parse(await readFile(path, "utf8"));
    const added = { name: "eu-production", region: "eu", protect: true, promotion: "by hand" };
    await team.commit("Serve Europe", {
      "environments.json": JSON.stringify({ regions, environments: [...environments, added] }),
      "Pulumi.eu-production.yaml": QUIET,
    });
    const listed = await team.run("scripts/environments.sh");
    expect(listed.text).to.equal(
      'first=staging\nautomatic=[]\nall=["staging","production","eu-production"]\n',
    );
    for (const command of [
      "scripts/release.sh staging",
      "scripts/promote.sh --yes production",
      "scripts/promote.sh --yes eu-production",
    ]) {
      const { code, text } = await team.run(command);
      expect(code, text).to.equal(0);
    }
    const now = await team.git("rev-parse", "main");
    expect(await activeCommits()).to.deep.equal([now, now, now]);
    expect(await team.tags("eu-production/")).to.have.keys("eu-production/1");
    expect(await team.state("eu-production")).to.contain('"protect":true');
  });

  it("print and store no key", async () => {
    const signing = team.pipeline.key.split("\n")[1] ?? "";
    for (const text of [team.printed, await team.stored()])
      for (const key of [CANARY, team.platform.platform.apiKey, signing])
        expect(text).not.to.contain(key);
  });
});

const LOUDER = "config:\n  support-agent:logLevel: trace\n";
/** It prints what would end a block of Markdown. */
const TALKATIVE = 'import "./index";\nconsole.log("~~~~\\n</details>");\n';
/** The value of a variable that would end a block, too. */
const ODD = "<details>`**\n~~~~~\n";
const QUIET = "config:\n  support-agent:logLevel: error\n";
