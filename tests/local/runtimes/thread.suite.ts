import { expect } from "chai";
import { threadLifecycle as lifecycle } from "../../../provider/thread/operations";
import { impatientClock } from "../../support/clock";
import type { DeployedAgent } from "../../support/deployed-agent";
import { contextOf } from "../../support/lifecycle";
import { initializationFailure, rejection } from "../../support/rejection";
import { startRelay } from "../../support/relay";

const NOWHERE = { url: "http://127.0.0.1:9", apiKey: "key", workspaceId: "nobody" };
const step = (asNode: string, type: string, content: string) => ({
  updates: [{ asNode, values: { messages: [{ type, content }] } }],
});
const CONVERSATION = [step("__start__", "human", "Hello?"), step("agent", "ai", "Hello.")];

/** The resource `Thread` on the real JavaScript server. */
export function threadSuite(agent: () => DeployedAgent): void {
  const create = (supersteps: object[] | undefined, more = {}) => {
    const inputs = { deploymentUrl: agent().url, graphId: "agent", supersteps, ...more };
    return lifecycle.create(inputs, { ...contextOf(NOWHERE), clock: impatientClock() });
  };

  it("names the node whose message the server drops, and keeps the thread", async () => {
    const supersteps = [step("__input__", "human", "Is this lost?"), ...CONVERSATION];
    const { id, message } = await initializationFailure(create(supersteps));
    expect(message).to.contain(
      "the agent server dropped what __input__ wrote in the thread's supersteps",
    );
    await agent().client.threads.delete(id);
  });

  it("names a node that the graph does not have, and those that it has", async () => {
    const { message } = await rejection(create([step("nobody", "ai", "Hello.")]));
    expect(message)
      .to.contain("500 Internal Server Error")
      .and.contain("graph 'agent' does not have asNode nobody; its nodes are __start__, ");
  });

  it("finds a copy again whose response was lost", async () => {
    const { threads } = agent().client;
    const source = await create(CONVERSATION);
    const before = await threads.count();
    const front = await startRelay(agent().url, async ({ url }, response, pass) => {
      if (!url.endsWith("/copy")) return pass();
      await threads.copy(source.id);
      response.destroy();
    });
    const copy = await create(undefined, { deploymentUrl: front.url, copyFrom: source.id });
    await front.close();
    expect(await threads.count()).to.equal(before + 1);
    expect(await threads.history(copy.id, { limit: 9 })).to.have.length(2);
    for (const { id } of [source, copy]) await threads.delete(id);
  });
}
