import { join } from "node:path";
import { expect } from "chai";
import { Deployment, Thread } from "pulumi-agentserver";
import { AgentServer, Unauthorized } from "pulumi-agentserver/sdk";
import { makeRepository, type Repository } from "../local/repository";
import { settingsFor, TestStack } from "../support/engine";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { gitArgs } from "../support/program";
import { rejection } from "../support/rejection";
import { describeNightly } from "../support/tiers";

const KEY = "key-CANARY-of-the-agent";

describeNightly("an agent server with a key of its own, on the real engine", () => {
  let test: TestPlatform;
  let stack: TestStack;
  let repository: Repository;

  /** A deployment whose agent server wants one key, and a check and a thread that bring what they are given. */
  const declare = (key: string, brought: { apiKey?: string }) => {
    stack.program = async () => {
      const { sourceConfig, ...args } = gitArgs(test);
      const deployment = new Deployment("support", {
        ...args,
        sourceConfig: { ...sourceConfig, repoUrl: repository.url },
        secrets: { BUILT_IN_SERVER_API_KEY: key },
        smokeCheck: { apiKey: key },
      });
      const { threadId } = new Thread("fixture", { deploymentUrl: deployment.url, ...brought });
      return { threadId, url: deployment.url };
    };
  };
  const threadsWith = async (apiKey?: string) => {
    const url = String((await stack.outputs())["url"]?.value);
    return new AgentServer({ url, ...(apiKey && { apiKey }) }).threads;
  };

  before(async () => {
    test = await startTestPlatform({ driver: "process" });
    repository = await makeRepository(join(test.dataDir, "repository"));
    stack = await TestStack.create(settingsFor(test.platform), async () => undefined);
  });
  after(async () => {
    await stack.destroy();
    await stack.remove();
    await test.close();
  });

  it("is deployed and checked, and says to a thread without the key which one it wants", async () => {
    declare(KEY, {});
    const { ok, text } = await stack.up();
    expect(ok).to.equal(false);
    expect((await stack.deployment()).outputs).to.include({ ready: true, status: "READY" });
    expect(text)
      .to.contain("401 Unauthorized: send this agent server's key as X-Api-Key")
      .and.contain("check apiKey, which is the agent server's own key");
    expect(text).not.to.contain("CANARY");
  });

  it("takes a thread that brings it, and nobody who does not", async () => {
    declare(KEY, { apiKey: KEY });
    const { ok, text } = await stack.up();
    expect(ok, text).to.equal(true);
    expect(await (await threadsWith(KEY)).count()).to.equal(1);
    expect(await rejection((await threadsWith()).count())).to.be.instanceOf(Unauthorized);
    expect(await stack.stateFiles()).not.to.contain("CANARY");
  });

  it("keeps the thread when the key changes in both places", async () => {
    const changed = `${KEY}-2`;
    declare(changed, { apiKey: changed });
    const { ok, text, changes } = await stack.up();
    expect(ok, text).to.equal(true);
    expect(changes).to.deep.equal({ same: 1, update: 2 });
    const { threadId } = await stack.outputs();
    const thread = await (await threadsWith(changed)).get(String(threadId?.value));
    expect(thread.status).to.equal("idle");
    expect(await rejection((await threadsWith(KEY)).count())).to.be.instanceOf(Unauthorized);
  });
});
