import { expect } from "chai";
import { assistantsSuite } from "../../contract/assistants.suite";
import { subjectAt } from "../../contract/threads/subject";
import { threadsSuite } from "../../contract/threads/threads.suite";
import { lifeSuite } from "../../provider/assistant/life.suite";
import { agentFiles, contentsOf } from "../../support/agents";
import { revise, useDeployedAgent } from "../../support/deployed-agent";
import { question } from "../../support/runs";
import { describeLong } from "../../support/tiers";
import { gateSuite } from "./gate.suite";
import { graphSuite } from "./graph.suite";
import { threadSuite } from "./thread.suite";

describe("the real JavaScript server", () => {
  const agent = useDeployedAgent("javascript");

  describeLong("threads of the real JavaScript server", () => {
    threadsSuite(subjectAt("javascript", () => agent().url));
  });

  describeLong("assistants of the real JavaScript server", () => {
    assistantsSuite(subjectAt("javascript", () => agent().url));
  });

  describeLong("the resource Assistant on the real JavaScript server", () => {
    lifeSuite("javascript", () => agent().url);
  });

  describe("the resource Thread on the real JavaScript server", () => threadSuite(agent));

  describe("a gate on the real JavaScript server", () => gateSuite(agent));

  describe("a JavaScript graph on its real server", () => {
    graphSuite(agent);

    it("may be in TypeScript, run from packages that are installed already", async function () {
      const { repository, client } = agent();
      const { "agent.mjs": source = "" } = await agentFiles("javascript");
      const typed = "({ messages }: typeof MessagesAnnotation.State)";
      await repository.git("rm", "--quiet", "agent.mjs");
      await repository.commit({
        "agent.ts": source.replace("({ messages })", typed),
        "langgraph.json": JSON.stringify({ graphs: { agent: "./agent.ts:graph" } }),
      });
      const { build } = await revise(this, agent());
      expect(build.join("\n")).to.contain("using cached packages");
      const { thread_id } = await client.threads.create();
      const input = question("Hello?");
      const values = await client.runs.wait(thread_id, { assistant_id: "agent", input });
      expect(contentsOf(values).at(-1)).to.equal("Which order do you mean? Answer 1 of Acme.");
    });
  });
});
