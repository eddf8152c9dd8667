import { expect } from "chai";
import { z } from "zod";
import { gateFailure, gateIn } from "../../../provider/gate/gate";
import { MARK } from "../../../provider/gate/run";
import { AssistantSubject } from "../../provider/assistant/subject";
import type { DeployedAgent } from "../../support/deployed-agent";
import { aClock } from "../../support/builders";
import { anOperation } from "../../support/operation";
import { rejection } from "../../support/rejection";
import { question } from "../../support/runs";
import { parsed } from "../../support/values";
import { until } from "../children";

const Runs = z.array(z.object({ run_id: z.string() }));

const run = (content: string, contains: string) => ({
  input: question(content),
  expect: { contains },
});

/** A gate on a real server. */
export function gateSuite(agent: () => DeployedAgent): void {
  const ask = (declared: Readonly<Record<string, unknown>>, clock = aClock()) => {
    const { client, url } = agent();
    const gate = gateIn(declared);
    if (gate === undefined) throw new Error("no gate is declared");
    const redacted = (text: string): string => text;
    const asked = { owner: "one", server: client, gate, assistantId: "agent", redacted };
    return gateFailure(asked, { ...anOperation(url), clock });
  };
  const left = () => agent().client.threads.count({ metadata: MARK });

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
    expect(await left()).to.equal(0);
  });

  it("does not wait for a run that is late, though heartbeats come, and leaves no thread", async () => {
    const failure = await ask({ runs: [run("Think.", "order")], timeoutSeconds: 2 });
    expect(failure?.[1]).to.contain("got: no answer within 2 s");
    expect(await left()).to.equal(0);
  });

  it("deletes the threads that gates left that were killed two days ago, and no younger one", async () => {
    await agent().client.threads.create({ metadata: MARK });
    const inDays = (days: number) =>
      Object.assign(aClock(), { time: Date.now() + days * 24 * 3_600_000 });
    const runs = [run("Where is order 7?", "order 7 is")];
    expect(await ask({ runs }, inDays(1))).to.equal(undefined);
    expect(await left()).to.equal(1);
    expect(await ask({ runs }, inDays(3))).to.equal(undefined);
    expect(await left()).to.equal(0);
  });

  it("does not pass with a run that another client cancels, of which the server says 200", async () => {
    const { client, url } = agent();
    const asked = ask({ runs: [run("Think.", "order")] });
    const find = () => client.threads.search({ metadata: MARK, status: "busy" });
    await until("the run", async () => (await find()).length === 1);
    for (const { thread_id: id } of await find()) {
      const runs = parsed(Runs, await (await fetch(`${url}/threads/${id}/runs`)).json());
      for (const { run_id } of runs) await client.runs.cancel(id, run_id);
    }
    expect((await asked)?.[0]).to.contain("0 of 1 runs passed");
  });

  it("of an assistant leaves the one in use alone where it fails, and leaves no other behind", async () => {
    const subject = new AssistantSubject(() => agent().url);
    await subject.start();
    const declaring = (model: string, contains: string) => ({
      context: { model },
      gate: { runs: [run("Where is order 7?", contains)] },
    });
    const count = () => agent().client.assistants.count();
    const before = await count();
    await rejection(subject.create(declaring("a", "order 8")));
    expect(await count()).to.equal(before);
    const made = await subject.create(declaring("a", "order 7"));
    const { message } = await rejection(subject.update(made, declaring("b", "order 8")));
    expect(message).to.contain("got: Your order 7 is on its way.");
    expect(await subject.get(made.id)).to.deep.include({ version: 1, context: { model: "a" } });
    // The process ends while the gate is asked: what it leaves goes with the next one.
    subject.lose("DELETE", "before", Infinity);
    await rejection(subject.update(made, declaring("c", "order 8")));
    expect(await count()).to.equal(before + 2);
    expect(await left()).to.equal(1);
    subject.lose("DELETE", "before", 0);
    await subject.update(made, declaring("b", "order 7"));
    expect(await left()).to.equal(0);
    expect(await subject.get(made.id)).to.deep.include({ version: 2, context: { model: "b" } });
    expect(await count()).to.equal(before + 1);
    await subject.delete(made);
    await subject.close();
  });
}
