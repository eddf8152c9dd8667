import { expect } from "chai";
import { describeLong } from "../../support/tiers";
import { join } from "node:path";
import { REPOSITORY } from "../../../scripts/project";
import { Team } from "./team";

const BROKEN = { "agent/langgraph.json": "{" };

describeLong("the pipelines of examples/gitops, when something fails", () => {
  let team: Team;
  let first = "";
  let second = "";

  const releaseOf = (commit: string) => `refs/tags/release/${commit.slice(0, 12)}`;
  const stackDeployment = async (stack: string) => {
    const state = await team.state(stack);
    const found = (await team.deployments()).find(({ id }) => state.includes(id));
    if (!found) throw new Error(`${stack} has no deployment`);
    return found;
  };
  /** The commit that serves: that of the active revision. */
  const servingCommit = async (stack: string) => {
    const { id, active_revision_id: active } = await stackDeployment(stack);
    const { source_revision_config: source } = await team.platform.untilRevision(
      id,
      "DEPLOYED",
      active ?? "",
    );
    return source?.repo_commit_sha;
  };
  const succeed = async (command: string, ref?: string) => {
    const { code, text } = await team.run(command, ref);
    expect(code, text).to.equal(0);
    return text;
  };
  const fail = async (command: string, ref?: string) => {
    const { code, text } = await team.run(command, ref);
    expect(code, text).not.to.equal(0);
    return text;
  };

  before(async () => {
    team = await Team.create();
    first = await team.git("rev-parse", "main");
    await succeed("scripts/release.sh staging");
    await succeed("scripts/promote.sh --yes production");
  });
  after(() => team.remove());

  it("show the build log of a build that breaks, record nothing, and leave staging as it was", async () => {
    await team.commit("Break the agent", BROKEN);
    const text = await fail("scripts/release.sh staging");
    expect(text).to.contain("ended with BUILD_FAILED after");
    expect(text).to.contain("| graph configuration 'agent/langgraph.json' is not valid JSON");
    expect(text).to.contain("still serves");
    expect(await team.tags("staging/")).to.have.keys("staging/1");
    expect(await servingCommit("staging")).to.equal(first);
  });

  it("roll back to the newest record after that, first showing what that changes", async () => {
    const shown = await succeed("scripts/rollback.sh staging");
    expect(shown).to.contain(`rolling staging back to staging/1: ${releaseOf(first)}`);
    expect(shown).to.match(/repoRef: refs\/tags\/release\/\w+ → refs\/tags\/release\/\w+/);
    expect(shown).to.contain("nothing was changed; with --yes it is done");
    expect(await team.tags("staging/")).to.have.keys("staging/1");
    await succeed("scripts/rollback.sh --yes staging");
    expect(await team.tags("staging/")).to.include({ "staging/2": releaseOf(first) });
  });

  it("release the next commit, which repairs the build", async () => {
    await team.git("revert", "--no-edit", "HEAD");
    second = await team.commit("Repair the agent");
    await succeed("scripts/release.sh staging");
    expect(await team.tags("staging/")).to.include({ "staging/3": releaseOf(second) });
    expect(await servingCommit("staging")).to.equal(second);
  });

  it("let production serve the old release when a promoted one does not start", async () => {
    team.platform.platform.admin.addOutcome({
      stage: "deploy",
      status: "DEPLOY_FAILED",
      reason: "the agent exited with code 1",
    });
    const text = await fail("scripts/promote.sh --yes production");
    expect(text).to.contain("the agent exited with code 1");
    expect(text).to.match(/rolled back: revision \S+ of the old values serves/);
    expect(await team.tags("production/")).to.have.keys("production/1");
    expect(await servingCommit("production")).to.equal(first);
  });

  it("roll back nothing where that has restored the old release", async () => {
    const text = await succeed("scripts/rollback.sh --yes production");
    expect(text).to.contain("nothing to do: production is as production/1 declares it.");
    expect(await team.tags("production/")).to.have.keys("production/1");
  });

  it("roll back nothing after a release that changed nothing, and name the records", async () => {
    await team.commit("A type error", { "support.ts": "export const deploySupport: number = '';" });
    await fail("scripts/release.sh staging");
    const text = await succeed("scripts/rollback.sh --yes staging");
    expect(text).to.contain("nothing to do: staging is as staging/3 declares it.");
    expect(text).to.match(/name a record:\n {2}staging\/3 .*\n {2}staging\/2 /);
    expect(await team.tags("staging/")).to.have.keys("staging/1", "staging/2", "staging/3");
    await team.git("revert", "--no-edit", "HEAD");
    await team.git("push", "--quiet", "origin", "main");
  });

  it("roll back to a record that is named, with its program and values and the packages of today", async () => {
    await succeed("scripts/promote.sh --yes production");
    expect(await servingCommit("production")).to.equal(second);
    const manifest = JSON.parse(await team.git("show", "HEAD:package.json"));
    const today = await team.commit("Newer packages", {
      "package.json": JSON.stringify({ ...manifest, description: "of today" }),
    });
    const text = await succeed("scripts/rollback.sh --yes production production/1");
    expect(text).to.contain(`rolling production back to production/1: ${releaseOf(first)}`);
    expect(await servingCommit("production")).to.equal(first);

    expect(await team.recordText("production/3")).to.contain(`packages ${today}`);
  });

  it("name the way out where the old program does not fit the packages of today", async () => {
    const manifest = JSON.parse(await team.git("show", "HEAD:package.json"));
    await team.commit("Packages that the old program cannot run with", {
      "package.json": JSON.stringify({ ...manifest, type: "module" }),
    });
    const text = await fail("scripts/rollback.sh --yes production production/2");
    expect(text).to.match(
      /rollback: refused: production\/2 could not be previewed \(above\); if the program of production\/2 does not fit the packages of today, add --own-packages/,
    );
    await succeed("scripts/rollback.sh --yes --own-packages production production/2");
    expect(await servingCommit("production")).to.equal(second);
    await team.git("revert", "--no-edit", "HEAD");
    await team.git("push", "--quiet", "origin", "main");
  });

  it("refuse a tag that names another commit already", async () => {
    const commit = await team.commit("Its tag is taken");
    await team.tag(`release/${commit.slice(0, 12)}`, first);
    const text = await fail("scripts/release.sh staging");
    expect(text).to.contain("[rejected]").and.contain("already exists");
    expect(await servingCommit("staging")).to.equal(second);
  });

  it("do not record a release whose tag was moved before it was built", async () => {
    const commit = await team.commit("Its tag moves");
    const tag = `release/${commit.slice(0, 12)}`;
    // Pulumi starts when the tag is pushed. The move comes between the two.
    await team.addCommand(
      "pulumi",
      `#!/bin/sh\ngit -C "$TAG_MOVER" push --quiet --force origin ${first}:refs/tags/${tag}\nexec "${join(REPOSITORY, "node_modules/.bin/pulumi")}" "$@"\n`,
    );
    const text = await fail("scripts/release.sh staging");
    await team.removeCommand("pulumi");
    expect(text).to.contain(`is of commit ${first} instead of ${commit}, and was interrupted`);
    expect(await servingCommit("staging")).to.equal(second);
    expect(await team.tags("staging/")).not.to.have.property("staging/4");
  });

  it("let one of two runs on a stack wait for its end, and refuse the other", async () => {
    const commit = await team.commit("Released twice at once");
    await team.holdBuilds();
    const running = await team.start("scripts/release.sh staging");
    await running.printed("CREATING");
    const text = await fail("scripts/release.sh staging");
    expect(text).to.contain("error: the stack is currently locked by 1 lock(s)");
    await team.continueBuilds();
    const { code, text: end } = await running.finished;
    expect(code, end).to.equal(0);
    expect(end).to.contain(`recorded as staging/4: ${releaseOf(commit)}`);
  });

  it("resume after a run that was cancelled, and record its release once", async () => {
    const commit = await team.commit("Cancelled");
    await team.holdBuilds();
    const running = await team.start("scripts/release.sh staging");
    await running.printed("CREATING");
    await running.kill();
    await team.continueBuilds();
    expect(await fail("scripts/release.sh staging")).to.contain("pulumi cancel");
    const text = await succeed("scripts/resume.sh staging");
    expect(text).to.contain(`recorded as staging/5: ${releaseOf(commit)}`);
    expect(await servingCommit("staging")).to.equal(commit);
    expect(await team.state("staging")).not.to.contain("pending_operations");
    expect(await team.tags("staging/")).not.to.have.property("staging/6");
  });
});
