import { secret } from "@pulumi/pulumi";
import { expect } from "chai";
import {
  Thread,
  getThreadHistoryOutput,
  getThreadOutput,
  getThreadStateOutput,
  searchThreads,
  searchThreadsOutput,
} from "pulumi-agentserver";
import { useAgentServer } from "../local/agentserver/support";
import { TestStack } from "../support/engine";
import { describeLong } from "../support/tiers";

const KEY = "key-CANARY-of-the-agent";

describeLong("thread functions on the real engine, without settings of a control plane", () => {
  const server = useAgentServer({ apiKey: KEY });
  let stack: TestStack;

  before(async () => {
    stack = await TestStack.create({}, async () => undefined);
  });
  after(() => stack.remove());

  it("wait for the thread that the program makes, and keep secret only what was asked with a secret", async () => {
    stack.program = async () => {
      const at = { deploymentUrl: `http://127.0.0.1:${server.port()}`, apiKey: secret(KEY) };
      const values = { messages: [{ type: "human", content: "hello" }] };
      const supersteps = [{ updates: [{ asNode: "__start__", values }] }];
      const fixture = new Thread("fixture", { ...at, graphId: "agent", supersteps });
      const { threadId } = fixture;
      const state = getThreadStateOutput({ ...at, threadId });
      return {
        before: (await searchThreads({ ...at, apiKey: KEY })).length,
        after: searchThreadsOutput(at, { dependsOn: fixture }).length,
        status: getThreadOutput({ ...at, threadId }).status,
        step: state.metadata.apply(({ step }) => step),
        again: getThreadStateOutput({
          ...at,
          threadId,
          checkpointId: state.checkpointId.apply(String),
        }).createdAt,
        states: getThreadHistoryOutput({ ...at, threadId }).length,
        hidden: searchThreadsOutput({ ...at, metadata: { graph_id: secret("agent") } }),
      };
    };
    const preview = await stack.preview();
    expect(preview.ok, preview.text).to.equal(true);
    expect(preview.text)
      .to.match(/status *: \[unknown\]/)
      .and.match(/after *: \[unknown\]/)
      .and.match(/before *: 0/);
    const { ok, text: printed } = await stack.up();
    expect(ok, printed).to.equal(true);
    const { before: earlier, after, status, step, again, states, hidden } = await stack.outputs();
    expect([earlier, after, status, step, states]).to.deep.equal(
      [0, 1, "idle", 0, 1].map((value) => ({ value, secret: false })),
    );
    expect(again?.value).to.be.a("string");
    expect(hidden?.secret).to.equal(true);
    expect(await stack.stateFiles()).not.to.contain("CANARY");
  });
});
