import { expect } from "chai";
import { NotFound } from "pulumi-agentserver/sdk";
import { assistantsSuite } from "../../contract/assistants/suite";
import { subjectAt } from "../../contract/threads/subject";
import { threadsSuite } from "../../contract/threads/suite";
import { AssistantSubject } from "../../provider/assistant/subject";
import { rejection } from "../../support/rejection";
import { lifeSuite } from "../../provider/assistant/life.suite";
import { agentFiles, contentsOf } from "../../support/agents";
import { revise, useDeployedAgent } from "../../support/deployed-agent";
import { describeLong } from "../../support/tiers";
import { gateSuite } from "./gate.suite";
import { graphSuite } from "./graph.suite";

const PYPROJECT = `
[build-system]
requires = ["setuptools==80.9.0"]
build-backend = "setuptools.build_meta"

[project]
name = "support"
version = "1.0"
dependencies = ["langgraph==1.2.22", "langchain-core==1.7.2"]
`;

/** The support agent's files as a package of its own, whose answers begin with a greeting of another module. */
async function asPackage(): Promise<Record<string, string>> {
  const { "agent.py": source = "" } = await agentFiles("python");
  const greeting = source.replace('f"{words} ', 'f"{GREETING} {words} ');
  return {
    "pyproject.toml": PYPROJECT,
    "src/support/__init__.py": "",
    "src/support/words.py": 'GREETING = "Hello from the package!"\n',
    "src/support/agent.py": `from support.words import GREETING\n${greeting}`,
    "langgraph.json": JSON.stringify({
      dependencies: ["."],
      graphs: { agent: "./src/support/agent.py:graph" },
    }),
  };
}

describeLong("the real Python server", () => {
  const agent = useDeployedAgent("python");

  describe("threads of the real Python server", () => {
    threadsSuite(subjectAt("python", () => agent().url));
  });

  describe("assistants of the real Python server", () => {
    assistantsSuite(subjectAt("python", () => agent().url));
  });

  describe("the resource Assistant on the real Python server", () => {
    lifeSuite("python", () => agent().url);
  });

  describe("an assistant whose graph left the revision", () => {
    it("is hidden by the server, kept by the resource, and comes back with its graph", async function () {
      const { repository } = agent();
      const graphs = (...names: string[]) =>
        repository.commit({
          "langgraph.json": JSON.stringify({
            dependencies: ["langgraph==1.2.22", "langchain-core==1.7.2", "."],
            graphs: Object.fromEntries(names.map((name) => [name, "./agent.py:graph"])),
            env: { SHOP: "the shop" },
          }),
        });
      await graphs("agent", "other");
      await revise(this, agent());
      const subject = new AssistantSubject(() => agent().url);
      await subject.start();
      try {
        const made = await subject.create({ graphId: "other", context: { a: 1 } });
        await graphs("agent");
        await revise(this, agent());
        expect(await rejection(subject.get(made.id))).to.be.instanceOf(NotFound);
        expect((await subject.read(made)).inputs).to.deep.equal(made.inputs);
        expect(subject.said.join()).to.contain("the running revision has no graph 'other'");
        const moved = await subject.update(made, { graphId: "agent", context: { a: 1 } });
        expect(await subject.get(made.id)).to.deep.include({ version: 2, context: { a: 1 } });
        await subject.delete(moved);
      } finally {
        await subject.close();
      }
    }).timeout(900_000);
  });

  describe("a gate on the real Python server", () => gateSuite(agent));

  describe("a Python graph on its real server", () => {
    graphSuite(agent);

    it("is installed and deployed, and the logs say how", () => {
      const { build, deploy } = agent().rollout;
      expect(build).to.include("using the real Python server, because the graphs are in Python");
      expect(deploy).to.include("starting the real Python server");
    });

    it("is a package that is installed anew for each commit, its dependencies once", async function () {
      const { repository, client } = agent();
      const ask = async () => {
        const { thread_id } = await client.threads.create();
        const input = { messages: [{ type: "human", content: "Where is my order 7?" }] };
        const values = await client.runs.wait(thread_id, { assistant_id: "agent", input });
        return contentsOf(values).at(-1);
      };
      await repository.git("rm", "--quiet", "agent.py");
      await repository.commit(await asPackage());
      await revise(this, agent());
      expect(await ask()).to.match(/^Hello from the package! Your order 7 is on its way./);
      await repository.commit({ "src/support/words.py": 'GREETING = "Changed!"\n' });
      const { build } = await revise(this, agent());
      expect(build).to.include(
        "using cached packages: an earlier build installed them from the same files",
      );
      expect(await ask()).to.match(/^Changed! Your order 7 is on its way./);
    }).timeout(900_000);
  });
});
