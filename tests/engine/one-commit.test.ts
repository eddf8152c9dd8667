import { join } from "node:path";
import { expect } from "chai";
import type { DeploymentArgs } from "pulumi-agentserver";
import { makeRepository, type Repository } from "../local/repository";
import { Revision } from "../../sdk/schema";
import { settingsFor, TestStack } from "../support/engine";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { gitArgs, supportProgram } from "../support/program";
import { parsed } from "../support/values";
import { describeNightly } from "../support/tiers";

/** A configuration that no build accepts. */
const BROKEN = { "langgraph.json": "{" };

describeNightly("deploying one commit from real git, on the real engine", () => {
  let test: TestPlatform;
  let stack: TestStack;
  let repository: Repository;
  let good = "";

  const declare = (repoRef: string, more: Partial<DeploymentArgs> = {}) => {
    const { sourceConfig } = gitArgs(test);
    stack.program = supportProgram({
      source: "git_host",
      sourceConfig: { ...sourceConfig, repoUrl: repository.url },
      sourceRevisionConfig: { repoRef, graphConfigPath: "langgraph.json" },
      onFailure: "rollback",
      env: more.env ?? { LOG_LEVEL: "info" },
      ...(more.redeployOn !== undefined && { redeployOn: more.redeployOn }),
    });
  };
  const serving = async () => {
    const { id } = await stack.deployment();
    const { active_revision_id, latest_revision_id, secrets } = await test.get(id);
    const path = `/v2/deployments/${id}/revisions/${active_revision_id}`;
    const { body } = await test.request("GET", path);
    const commit = parsed(Revision, body).source_revision_config?.repo_commit_sha;
    return { commit, isLatest: active_revision_id === latest_revision_id, secrets };
  };

  before(async () => {
    test = await startTestPlatform({ driver: "process" });
    repository = await makeRepository(join(test.dataDir, "repository"));
    stack = await TestStack.create(settingsFor(test.platform), async () => undefined);
    good = await repository.git("rev-parse", "HEAD");
  });
  after(async () => {
    await stack.destroy();
    await stack.remove();
    await test.close();
  });

  it("deploys what a branch is at, with redeployOn for each commit", async () => {
    declare("main", { redeployOn: good });
    const { ok, text } = await stack.up();
    expect(ok, text).to.equal(true);
    expect(await serving()).to.include({ commit: good });
    expect((await stack.preview()).changes).to.deep.equal({ same: 2 });
  });

  it("rolls a branch back to the commit that served, though the branch has moved on", async () => {
    const bad = await repository.commit(BROKEN);
    declare("main", { redeployOn: bad });
    const { messages } = await stack.preview();
    expect(messages.join("\n")).to.contain("a failure is rolled back by redeploying revision");
    expect(messages.join("\n")).to.contain(`of commit ${good}`);
    const { ok, text } = await stack.up();
    expect(ok).to.equal(false);
    expect(text).to.match(/rolled back: revision [0-9a-f-]{36} of the old values serves/);
    expect(await serving()).to.include({ commit: good, isLatest: true });
    expect((await stack.deployment()).outputs).to.have.nested.property(
      "lastGoodRevision.repoCommitSha",
      good,
    );
  });

  it("restores variables and commit together", async () => {
    declare("main", { redeployOn: good, env: { LOG_LEVEL: "debug" } });
    const { ok } = await stack.up();
    expect(ok).to.equal(false);
    expect(await serving()).to.deep.equal({
      commit: good,
      isLatest: true,
      secrets: [{ name: "LOG_LEVEL", value: "info" }],
    });
  });

  it("deploys exactly the commit of a tag, whatever the branch is at", async () => {
    await repository.git("tag", "release/1", good);
    declare("refs/tags/release/1");
    const { ok, text } = await stack.up();
    expect(ok, text).to.equal(true);
    expect(await serving()).to.include({ commit: good, isLatest: true });
    await stack.refresh();
    expect((await stack.preview()).changes).to.deep.equal({ same: 2 });
  });
});
