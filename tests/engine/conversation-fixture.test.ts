import { join } from "node:path";
import { expect } from "chai";
import { AgentServer } from "pulumi-agentserver/sdk";
import { commandsOf, makeRoot, type Root, type } from "../support/by-hand";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { describeLong } from "../support/tiers";

const README = "examples/conversation-fixture/README.md";

describeLong("the example of conversations, as its README says to type it", () => {
  let root: Root;
  let test: TestPlatform;
  let printed = "";

  const dir = () => join(root.dir, ".agentserver/fixture");
  const typed = (commands: string) => {
    const { url, apiKey, workspaceId } = test.platform;
    return type(commands, dir(), {
      PULUMI_BACKEND_URL: `file://${join(dir(), "state")}`,
      PULUMI_CONFIG_PASSPHRASE: "only-for-trying",
      AGENTSERVER_BASE_URL: url,
      AGENTSERVER_API_KEY: apiKey,
      AGENTSERVER_WORKSPACE_ID: workspaceId,
      // The first chapter checks the program's types, as it does for a user.
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    });
  };
  const threads = async () => {
    const url = (await typed("npx pulumi stack output url")).trim();
    return new AgentServer({ url }).threads;
  };
  const refund = async () => {
    const [found] = await (await threads()).search({ metadata: { fixture: "refund" } });
    return found?.thread_id ?? "";
  };

  before(async () => {
    root = await makeRoot();
    const dataDir = join(root.dir, ".agentserver");
    test = await startTestPlatform({ driver: "process", dataDir });
    const [, commands = ""] = await commandsOf(README, "Try it");
    printed = await type(commands, root.dir);
  });
  after(async () => {
    await test.close();
    await root.remove();
  });

  it("puts three conversations on the deployed agent, and shows the one that it asks for", async () => {
    expect(await (await threads()).count({ metadata: { graph_id: "agent" } })).to.equal(3);
    expect(printed).to.contain("Where is my order 1042?").and.not.to.contain("1077");
  });

  it("leaves alone what people say, and puts a spoilt conversation back", async () => {
    const id = await refund();
    const spoilt = { messages: [{ type: "human", content: "I changed my mind." }] };
    await (await threads()).updateState(id, { values: spoilt, as_node: "__start__" });
    expect(await typed("npx pulumi preview")).to.contain("5 unchanged");
    await typed("npx pulumi up --skip-preview --replace '**refund'");
    const { values } = await (await threads()).state(await refund());
    expect(JSON.stringify(values)).to.contain("on their way to you").and.not.to.contain("my mind");
  });

  it("is taken away with its agent", async () => {
    await typed("npx pulumi destroy --skip-preview");
    expect(await test.deployments()).to.be.empty;
  });
});
