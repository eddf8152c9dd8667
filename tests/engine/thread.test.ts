import { join } from "node:path";
import { expect } from "chai";
import { Deployment, Thread } from "pulumi-agentserver";
import { AgentServer } from "pulumi-agentserver/sdk";
import { makeRepository, type Repository } from "../local/repository";
import { expectDone } from "../support/run";
import { useStack } from "../support/engine";
import { gitArgs } from "../support/program";

const KEY = "key-CANARY-of-the-agent";

describe("a thread of a deployment, on the real engine", () => {
  let repository: Repository;

  const declare = (name: string, env: Record<string, string> = {}) => {
    stack.program = async () => {
      const args = gitArgs(test, { repoUrl: repository.url });
      const deployment = new Deployment("support", { ...args, name, env });
      const thread = new Thread("fixture", {
        deploymentUrl: deployment.url,
        apiKey: KEY,
        graphId: "agent",
        metadata: { team: "a" },
        supersteps: [
          { updates: [{ asNode: "agent", values: { messages: [{ type: "ai", content: "hi" }] } }] },
        ],
      });
      const { threadId, status, checkpointId, deploymentId } = thread;
      return { threadId, status, checkpointId, deploymentId, url: deployment.url };
    };
  };
  const threadsAt = (url: unknown) => new AgentServer({ url: String(url) }).threads;

  const { test, stack } = useStack({ driver: "process" }, async () => {
    repository = await makeRepository(join(test.dataDir, "repository"));
  });

  it("is put in place when the deployment serves, its address unknown in the preview", async () => {
    declare("first");
    expect((await stack.preview()).changes).to.deep.equal({ create: 3 });
    await expectDone(stack.up());
    const outputs = await stack.outputs();
    const { threadId, url, checkpointId } = outputs;
    const state = await threadsAt(url?.value).state(threadId?.value);
    expect(state.values["messages"]).to.have.length(1);
    expect(outputs["deploymentId"]?.value).to.equal((await stack.deployment()).id);
    expect(checkpointId?.value).to.equal(state.checkpoint_id);
    expect(outputs["status"]?.value).to.equal("idle");
    expect((await stack.preview()).changes).to.deep.equal({ same: 3 });
  });

  it("is shown as it is where its deployment changes and keeps its address, as it then does", async () => {
    declare("first", { LOG_LEVEL: "debug" });
    for (const { ok, text, steps } of [await stack.preview(), await stack.up()]) {
      expect(ok, text).to.equal(true);
      expect(steps).to.deep.equal({ support: "update", fixture: "same" });
    }
  });

  it("goes with its replaced deployment, and is put in place on the new one", async () => {
    declare("second");
    const { messages } = await expectDone(stack.up());
    const outputs = await stack.outputs();
    expect(messages.join()).to.contain("was not deleted");
    expect(await threadsAt(outputs["url"]?.value).count()).to.equal(1);
    expect((await stack.preview()).changes).to.deep.equal({ same: 3 });
  });
});
