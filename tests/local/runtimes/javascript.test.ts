import { assistantsSuite } from "../../contract/assistants.suite";
import { subjectAt } from "../../contract/threads/subject";
import { threadsSuite } from "../../contract/threads/threads.suite";
import { lifeSuite } from "../../provider/assistant/life.suite";
import { useDeployedAgent } from "../../support/deployed-agent";
import { describeLong } from "../../support/tiers";
import { gateSuite } from "./gate.suite";
import { graphSuite } from "./graph.suite";

describe("the real JavaScript server", () => {
  const agent = useDeployedAgent("javascript");

  const subject = subjectAt("javascript", () => agent().url);
  const lives = () => lifeSuite("javascript", () => agent().url);

  describeLong("threads of the real JavaScript server", () => threadsSuite(subject));
  describeLong("assistants of the real JavaScript server", () => assistantsSuite(subject));
  describeLong("the resource Assistant on the real JavaScript server", lives);
  describe("a gate on the real JavaScript server", () => gateSuite(agent));
  describe("a JavaScript graph on its real server", () => graphSuite(agent));
});
