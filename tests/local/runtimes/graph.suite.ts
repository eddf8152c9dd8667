import { expect } from "chai";
import { contentsOf } from "../../support/agents";
import { until } from "../children";
import type { DeployedAgent } from "../../support/deployed-agent";
import { question } from "../../support/runs";

/** The behaviour of a graph's server that the process driver runs, of either kind. */
export function graphSuite(agent: () => DeployedAgent): void {
  it("runs with the deployment's variables, by the server that the logs name, and goes on with its threads when the platform is started again", async () => {
    const { client, test, url, language, rollout } = agent();
    const server = `the real ${language === "python" ? "Python" : "JavaScript"} server`;
    expect(rollout.build).to.include(`using ${server}`);
    expect(rollout.deploy).to.include(`starting ${server}`);
    const { thread_id } = await client.threads.create();
    const ask = async (content: string) => {
      const input = question(content);
      return contentsOf(await client.runs.wait(thread_id, { assistant_id: "agent", input }));
    };
    const [, first] = await ask("Where is my order 1042?");
    expect(first).to.equal("Your order 1042 is on its way. Answer 1 of Acme.");
    await test.restart();
    await until("its server's start", async () => (await fetch(`${url}/ok`)).ok);
    const texts = await ask("And what about 1043?");
    expect(texts).to.have.length(4);
    expect(texts.at(-1)).to.equal("Your order 1043 is on its way. Answer 2 of Acme.");
  });
}
