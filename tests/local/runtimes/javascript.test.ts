import { join } from "node:path";
import { expect } from "chai";
import { shareCache } from "../../../scripts/shared-cache";
import { AgentServer } from "../../../sdk";
import {
  agentFiles,
  contentsOf,
  skipWithoutRegistry,
  untilRolledOut,
  type Rollout,
} from "../../support/agents";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { aFolder, removeFolder } from "../children";
import { makeRepository, type Repository } from "../repository";

const question = (content: string) => ({ type: "human", content });

describe("a JavaScript graph on its real server", () => {
  let dataDir: string;
  let repository: Repository;
  let test: TestPlatform;
  let id: string;
  let rollout: Rollout;
  let agent: AgentServer;
  let threadId: string;

  before(async function () {
    this.timeout(900_000);
    dataDir = await aFolder();
    await shareCache(dataDir);
    repository = await makeRepository(join(dataDir, "repository"), await agentFiles("javascript"));
    test = await startTestPlatform({ dataDir, driver: "process" });
    const deployment = await test.create({
      source_config: {
        integration_id: test.integrationId,
        repo_url: repository.url,
        deployment_type: "dev",
      },
      secrets: [{ name: "SHOP", value: "Acme" }],
    });
    id = deployment.id;
    agent = new AgentServer({ url: deployment.url ?? "" });
    rollout = await untilRolledOut(test, id);
    if (rollout.status === "BUILD_FAILED") await skipWithoutRegistry(this, "javascript");
  });
  after(async () => {
    await test.close();
    await removeFolder(dataDir);
  });

  it("is installed and deployed, and the logs say how", () => {
    expect(rollout.status, rollout.build.join("\n")).to.equal("DEPLOYED");
    expect(rollout.build).to.include(
      "to be run by the real JavaScript server, as package.json depends on @langchain/langgraph-api",
    );
    expect(rollout.deploy).to.include("run by the real JavaScript server");
  });

  it("keeps a thread that is made of supersteps", async () => {
    const order = [
      { values: { messages: [question("Where is my order 1042?")] }, as_node: "__start__" },
    ];
    const answer = { type: "ai", content: "Your order 1042 is on its way." };
    const thread = await agent.threads.create({
      metadata: { graph_id: "agent" },
      supersteps: [
        { updates: [{ values: {}, as_node: "__input__" }] },
        { updates: order },
        { updates: [{ values: { messages: [answer] }, as_node: "agent" }] },
      ],
    });
    threadId = thread.thread_id;
    const { values } = await agent.threads.state(threadId);
    expect(contentsOf(values)).to.deep.equal(["Where is my order 1042?", answer.content]);
  });

  it("runs the graph on the conversation, with the deployment's variables", async () => {
    const input = { messages: [question("When does it arrive?")] };
    const values = await agent.runs.wait(threadId, { assistant_id: "agent", input });
    expect(contentsOf(values).at(-1)).to.equal("Your order 1042 is on its way. Answer 2 of Acme.");
  });

  it("keeps its threads when the platform is started again, and goes on from there", async () => {
    await test.restart();
    const input = { messages: [question("And what about 1043?")] };
    const values = await agent.runs.wait(threadId, { assistant_id: "agent", input });
    expect(contentsOf(values)).to.have.length(6);
    expect(contentsOf(values).at(-1)).to.equal("Your order 1043 is on its way. Answer 3 of Acme.");
  });

  it("runs a graph in TypeScript, from packages that are installed already", async () => {
    const { "agent.mjs": source = "" } = await agentFiles("javascript");
    const typed = source.replace(
      "({ messages })",
      "({ messages }: typeof MessagesAnnotation.State)",
    );
    await repository.git("rm", "--quiet", "agent.mjs");
    await repository.commit({
      "agent.ts": typed,
      "langgraph.json": JSON.stringify({ graphs: { agent: "./agent.ts:graph" } }),
    });
    await test.request("PATCH", `/v2/deployments/${id}`, {
      source_revision_config: { repo_ref: "main" },
    });
    const { status, build, deploy } = await untilRolledOut(test, id);
    expect(status, deploy.join("\n")).to.equal("DEPLOYED");
    expect(build).to.include("the packages are those of an earlier build from the same files");
    const thread = await agent.threads.create();
    const input = { messages: [question("Hello?")] };
    const values = await agent.runs.wait(thread.thread_id, { assistant_id: "agent", input });
    expect(contentsOf(values).at(-1)).to.equal("Which order do you mean? Answer 1 of Acme.");
  });
});
