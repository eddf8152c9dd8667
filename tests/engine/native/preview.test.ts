import { join } from "node:path";
import { expect } from "chai";
import { makeRepository, type Repository } from "../../local/repository";
import { settingsFor, TestStack } from "../../support/engine";
import { NATIVE } from "../../support/front-ends";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { gitArgs } from "../../support/program";
import { describeLong } from "../../support/tiers";

describeLong("a preview through the native provider", () => {
  let test: TestPlatform;
  let stack: TestStack;
  let repository: Repository;

  before(async () => {
    test = await startTestPlatform({ driver: "process" });
    repository = await makeRepository(join(test.dataDir, "repository"));
    stack = await TestStack.create(settingsFor(test.platform), async () => undefined, NATIVE);
  });
  after(async () => {
    await stack.remove();
    await test.close();
  });

  const declare = (level: string) => {
    stack.program = async ({ Deployment, Thread }) => {
      const { sourceConfig, ...args } = gitArgs(test);
      const { url, name, id, tenantId, ready, updatedAt } = new Deployment("support", {
        ...args,
        sourceConfig: { ...sourceConfig, repoUrl: repository.url },
        env: { LOG_LEVEL: level },
        secrets: { MODEL_API_KEY: "canary-secret" },
      });
      const fixture = new Thread("fixture", { deploymentUrl: url });
      return { url, name, id, tenantId, ready, updatedAt, thread: fixture.id };
    };
  };

  it("creates, then shows nothing to do", async () => {
    declare("info");
    const first = await stack.up();
    expect(first.ok, first.text).to.equal(true);
    expect((await stack.preview()).changes).to.deep.equal({ same: 3 });
  });

  it("knows what a changed variable leaves as it is", async () => {
    declare("debug");
    const { ok, text, steps } = await stack.preview({ diff: true });
    expect(ok, text).to.equal(true);
    expect(steps).to.deep.equal({ support: "update", fixture: "same" });
  });
});
