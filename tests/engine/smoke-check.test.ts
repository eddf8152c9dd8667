import { join } from "node:path";
import { expect } from "chai";
import type { SmokeCheckArgs } from "pulumi-agentserver";
import { AgentServer } from "pulumi-agentserver/sdk";
import { makeRepository, type Repository } from "../local/repository";
import { settingsFor, TestStack } from "../support/engine";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { gitArgs, supportProgram } from "../support/program";
import { describeNightly } from "../support/tiers";

describeNightly("the smoke check of a real agent server, on the real engine", () => {
  let test: TestPlatform;
  let stack: TestStack;
  let repository: Repository;

  const declare = (smokeCheck: boolean | SmokeCheckArgs) => {
    const { sourceConfig, ...args } = gitArgs(test);
    stack.program = supportProgram({
      ...args,
      sourceConfig: { ...sourceConfig, repoUrl: repository.url },
      smokeCheck,
    });
  };

  before(async () => {
    // This platform asks for a key at agent URLs too: a check without it fails.
    test = await startTestPlatform({ driver: "process", agentAuth: true });
    repository = await makeRepository(join(test.dataDir, "repository"));
    stack = await TestStack.create(settingsFor(test.platform), async () => undefined);
  });
  after(async () => {
    await stack.destroy();
    await stack.remove();
    await test.close();
  });

  it("fails the update though the revision is deployed, keeps the deployment, and shows no key", async () => {
    declare({ apiKey: "key-CANARY-of-the-agent" });
    const { ok, text } = await stack.up();
    expect(ok).to.equal(false);
    expect(text).to.match(/the smoke check of its agent server failed: create thread '[^']+': 401/);
    expect(text).not.to.contain("CANARY");
    const { outputs } = await stack.deployment();
    expect(outputs).to.include({ ready: false, status: "READY" });
    expect(await stack.stateFiles()).not.to.contain("CANARY");
  });

  it("is not forgotten at a refresh, and the refresh shows no key either", async () => {
    await stack.refresh();
    expect((await stack.deployment()).outputs).to.include({ ready: false });
    expect(await stack.stateFiles()).not.to.contain("CANARY");
    expect((await stack.preview()).changes).to.deep.equal({ same: 1, update: 1 });
  });

  it("is made again by the next up without a second revision, and leaves no thread behind", async () => {
    const { apiKey } = test.platform;
    declare({ apiKey, graphId: "agent" });
    const { ok, text } = await stack.up();
    expect(ok, text).to.equal(true);
    const { id, outputs } = await stack.deployment();
    expect(outputs["revisions"]).to.have.length(1);
    const agent = new AgentServer({ url: (await test.get(id)).url ?? "", apiKey });
    expect(await agent.threads.search()).to.be.empty;
    expect((await stack.preview()).changes).to.deep.equal({ same: 2 });
  });
});
