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

const PYPROJECT = `
[build-system]
requires = ["setuptools==80.9.0"]
build-backend = "setuptools.build_meta"

[project]
name = "support"
version = "1.0"
dependencies = ["langgraph==1.2.22", "langchain-core==1.7.2"]
`;

describe("a Python graph on its real server", () => {
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
    repository = await makeRepository(join(dataDir, "repository"), await agentFiles("python"));
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
    if (rollout.status === "BUILD_FAILED") await skipWithoutRegistry(this, "python");
  });
  after(async () => {
    await test.close();
    await removeFolder(dataDir);
  });

  it("is installed and deployed, and the logs say how", () => {
    expect(rollout.status, rollout.build.join("\n")).to.equal("DEPLOYED");
    expect(rollout.build).to.include(
      "to be run by the real Python server, as its graphs are in Python",
    );
    expect(rollout.deploy).to.include("run by the real Python server");
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

  it("installs the repository's own package anew for each commit, and its dependencies once", async () => {
    const { "agent.py": source = "" } = await agentFiles("python");
    await repository.git("rm", "--quiet", "agent.py");
    await repository.commit({
      "pyproject.toml": PYPROJECT,
      "src/support/__init__.py": "",
      "src/support/words.py": 'GREETING = "Hello from the package!"\n',
      "src/support/agent.py": `from support.words import GREETING\n${source}`.replace(
        'f"{words} ',
        'f"{GREETING} {words} ',
      ),
      "langgraph.json": JSON.stringify({
        dependencies: ["."],
        graphs: { agent: "./src/support/agent.py:graph" },
      }),
    });
    const ask = async () => {
      const thread = await agent.threads.create();
      const input = { messages: [question("Where is my order 7?")] };
      const values = await agent.runs.wait(thread.thread_id, { assistant_id: "agent", input });
      return contentsOf(values).at(-1);
    };
    const revise = async () => {
      await test.request("PATCH", `/v2/deployments/${id}`, {
        source_revision_config: { repo_ref: "main" },
      });
      const { status, build, deploy } = await untilRolledOut(test, id);
      expect(status, [...build, ...deploy].join("\n")).to.equal("DEPLOYED");
      return build;
    };
    await revise();
    expect(await ask()).to.match(/^Hello from the package! Your order 7 is on its way./);
    await repository.commit({ "src/support/words.py": 'GREETING = "Changed!"\n' });
    expect(await revise()).to.include(
      "the packages are those of an earlier build from the same files",
    );
    expect(await ask()).to.match(/^Changed! Your order 7 is on its way./);
  }).timeout(900_000);
});
