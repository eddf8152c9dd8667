import { expect } from "chai";
import { useDeployedAgent } from "../support/deployed-agent";
import { CliStack } from "../support/cli";
import type { TestServer } from "../support/http";
import { startRelay } from "../support/relay";
import { describeNightly } from "../support/tiers";

const UP = ["up", "--yes", "--skip-preview"];
const PROGRAM = `const { Assistant } = require("pulumi-agentserver");
new Assistant("support-de", { ...require("./place.json"), graphId: "agent", context: { prompt: "Hallo" } });
`;

describeNightly("an assistant of the real Python server whose create is killed", () => {
  const agent = useDeployedAgent("python");
  let stack: CliStack;
  let relay: TestServer;
  let kill: (() => Promise<void>) | undefined;

  before(async () => {
    relay = await startRelay(agent().url, async ({ method, url, body }, response, pass) => {
      if (kill === undefined || `${method} ${url}` !== "POST /assistants") return pass();
      const headers = { "content-type": "application/json" };
      const { status } = await fetch(`${agent().url}${url}`, { method, headers, body });
      if (status === 200) await kill();
      response.destroy();
    });
    stack = await CliStack.create(agent().test.platform);
    await stack.write("index.js", PROGRAM);
    await stack.write("place.json", JSON.stringify({ deploymentUrl: relay.url }));
  });
  after(async () => {
    await stack?.endProcesses();
    await stack?.remove();
    await relay?.close();
  });

  it("is adopted by the next up after kill -9 between the POST and its answer: one assistant, version 1", async () => {
    const running = stack.start(...UP);
    kill = async () => {
      kill = undefined;
      running.kill();
      await stack.endProcesses();
    };
    await running.finished;
    expect(kill, "the POST arrived, and the command was killed").to.equal(undefined);
    const ours = () => agent().client.assistants.search({ name: "support-de" });
    expect(await ours()).to.have.length(1);
    await stack.run("cancel", "--yes");
    const { code, text } = await stack.run(...UP);
    expect(code, text).to.equal(0);
    expect(text).to.contain("which an interrupted create of this resource made");
    const [found, ...others] = await ours();
    expect(others).to.deep.equal([]);
    expect(found).to.deep.include({ version: 1, context: { prompt: "Hallo" } });
    const preview = await stack.run("preview", "--expect-no-changes");
    expect(preview.code, preview.text).to.equal(0);
  });
});
