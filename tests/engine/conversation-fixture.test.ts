import { expect } from "chai";
import { AgentServer } from "pulumi-agentserver/sdk";
import { useExample } from "../support/by-hand";
import { describeLong } from "../support/tiers";

describeLong("the example of conversations, as its README says to type it", () => {
  const example = useExample("conversation-fixture", "fixture", { driver: "process" });
  const threads = async () => {
    const url = (await example().typed("npx pulumi stack output url")).trim();
    return new AgentServer({ url }).threads;
  };
  const refund = async () => {
    const [found] = await (await threads()).search({ metadata: { fixture: "refund" } });
    return found?.thread_id ?? "";
  };

  it("puts three conversations on the deployed agent, and shows the one that it asks for", async () => {
    expect(await (await threads()).count({ metadata: { graph_id: "agent" } })).to.equal(3);
    expect(example().printed).to.contain("Where is my order 1042?").and.not.to.contain("1077");
  });

  it("leaves alone what people say, puts a spoilt conversation back, and is taken away with its agent", async () => {
    const id = await refund();
    const spoilt = { messages: [{ type: "human", content: "I changed my mind." }] };
    await (await threads()).updateState(id, { values: spoilt, as_node: "__start__" });
    expect(await example().typed("npx pulumi preview")).to.contain("5 unchanged");
    await example().typed("npx pulumi up --skip-preview --replace '**refund'");
    const { values } = await (await threads()).state(await refund());
    expect(JSON.stringify(values)).to.contain("on their way to you").and.not.to.contain("my mind");
    await example().typed("npx pulumi destroy --skip-preview");
    expect(await example().test.deployments()).to.be.empty;
  });
});
