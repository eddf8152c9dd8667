import { expect } from "chai";
import { contentsOf } from "../../support/agents";
import { until } from "../children";
import type { DeployedAgent } from "../../support/deployed-agent";

const question = (content: string) => ({ type: "human", content });

/** The behaviour of a graph's server that the process driver runs, of either kind. */
export function graphSuite(agent: () => DeployedAgent): void {
  it("runs with the deployment's variables", async () => {
    const { client } = agent();
    const { thread_id } = await client.threads.create();
    const input = { messages: [question("Where is my order 1042?")] };
    const values = await client.runs.wait(thread_id, { assistant_id: "agent", input });
    expect(contentsOf(values).at(-1)).to.equal("Your order 1042 is on its way. Answer 1 of Acme.");
  });

  it("keeps its threads when the platform is started again, and goes on from there", async () => {
    const { client, test, url } = agent();
    const { thread_id } = await client.threads.create();
    const ask = async (content: string) => {
      const input = { messages: [question(content)] };
      return contentsOf(await client.runs.wait(thread_id, { assistant_id: "agent", input }));
    };
    await ask("Where is my order 1042?");
    await test.restart();
    await until("its server's start", async () => (await fetch(`${url}/ok`)).ok);
    const texts = await ask("And what about 1043?");
    expect(texts).to.have.length(4);
    expect(texts.at(-1)).to.equal("Your order 1043 is on its way. Answer 2 of Acme.");
  });
}
