import { expect } from "chai";
import { Thread } from "pulumi-agentserver";
import { TestStack } from "../support/engine";
import { json, startServer, type TestServer } from "../support/http";
import { describeNightly } from "../support/tiers";

const KEY = "key-CANARY-of-a-run";

/** An agent server with one thread, on which a run has left its configuration. */
function startAgentServer(): Promise<TestServer> {
  let thread: Record<string, unknown> | undefined;
  return startServer(({ method, url, body }, response) => {
    if (url.endsWith("/state")) return json(response, 200, {});
    const { thread_id, metadata } = JSON.parse(body || "{}");
    const time = new Date().toISOString();
    const config = { configurable: { model_key: KEY } };
    if (method === "POST")
      thread = { thread_id, metadata, config, status: "idle", created_at: time, updated_at: time };
    if (method === "PATCH") thread = { ...thread, metadata, updated_at: time };
    if (method === "DELETE") thread = undefined;
    if (thread === undefined && method === "DELETE") return response.writeHead(204).end();
    return thread === undefined
      ? json(response, 404, { detail: "Thread not found" })
      : json(response, 200, thread);
  });
}

describeNightly("the configuration of a thread, on the real engine", () => {
  let server: TestServer;
  let stack: TestStack;

  const declare = (team: string, more: () => object = () => ({})) => {
    stack.program = async () => {
      const deploymentUrl = server.url;
      const { threadId, config, updatedAt } = new Thread("fixture", {
        deploymentUrl,
        metadata: { team },
      });
      return { threadId, config, updatedAt, ...more() };
    };
  };
  before(async () => {
    server = await startAgentServer();
    stack = await TestStack.create({}, async () => undefined);
  });
  after(async () => {
    await stack.destroy();
    await stack.remove();
    await server.close();
  });

  it("is a secret output, in the state and in what is printed, after each operation", async () => {
    declare("a");
    const texts: string[] = [];
    const run = async (operation: Promise<{ ok: boolean; text: string }>) => {
      const { ok, text } = await operation;
      expect(ok, text).to.equal(true);
      texts.push(text, await stack.stateFiles());
    };
    await run(stack.up());
    const { config, threadId, updatedAt } = await stack.outputs();
    expect(config).to.deep.equal({ value: { configurable: { model_key: KEY } }, secret: true });
    expect(updatedAt?.value).to.be.a("string");
    await run(stack.refresh());
    declare("b");
    await run(stack.up());
    declare("b", () => {
      const id = String(threadId?.value);
      return { read: Thread.get("read", id, { deploymentUrl: server.url }).config };
    });
    await run(stack.up());
    await run(stack.refresh());
    expect((await stack.outputs())["read"]?.secret).to.equal(true);
    expect((await stack.preview()).text).not.to.contain("CANARY");
    expect(texts.join("\n")).not.to.contain("CANARY");
  });
});
