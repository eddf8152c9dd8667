import { expect } from "chai";
import { gateFailure, gateIn } from "../../../provider/gate/gate";
import { MARK } from "../../../provider/gate/run";
import type { DeployedAgent } from "../../support/deployed-agent";
import { aClock } from "../../support/builders";
import { anOperation } from "../../support/operation";
import { question } from "../../support/runs";

const run = (content: string, contains: string) => ({
  input: question(content),
  expect: { contains },
});

export function gateSuite(agent: () => DeployedAgent): void {
  const ask = (declared: Readonly<Record<string, unknown>>) => {
    const { client: server, url } = agent();
    const gate = gateIn(declared);
    if (gate === undefined) throw new Error("no gate is declared");
    const asked = { owner: "one", server, gate, assistantId: "agent", redacted: String };
    return gateFailure(asked, { ...anOperation(url), clock: aClock() });
  };

  it("takes a run that answers as expected for passed, and one that fails for failed", async () => {
    const numbers = [1, 2, 3, 4, 5, 6, 7];
    const runs = numbers.map((number) => run(`Where is order ${number}?`, `order ${number} is`));
    expect(await ask({ runs })).to.equal(undefined);
    const wrong = [run("Fail.", "order"), run("Approve.", "order"), run("Hello?", "order 8")];
    const failure = await ask({ runs: [...runs, ...wrong] });
    expect(failure?.[0]).to.contain("7 of 10 runs passed");
    expect(failure?.[0]).to.contain("failed: 8, 9, 10");
    expect(failure?.[1]).to.contain("the run failed: ").and.contain("out of order");
    expect(failure?.[2]).to.contain("the run was interrupted: ").and.contain("Is that all right?");
    expect(failure?.[3]).to.contain("got: Which order do you mean?");
    expect(await agent().client.threads.count({ metadata: MARK })).to.equal(0);
  });
}
