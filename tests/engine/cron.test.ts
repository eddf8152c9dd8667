import { join } from "node:path";
import { expect } from "chai";
import { startRuns } from "../../lab/faults/runs";
import { startAgentServer } from "../../local/agentserver";
import { expectDone } from "../support/run";
import { describeFrontEnds } from "../support/front-ends";
import { useStack } from "../support/engine";

const FORMER = "11111111-1111-4111-8111-111111111111";
const LATER = "22222222-2222-4222-8222-222222222222";

describeFrontEnds("a cron of an assistant that is replaced", "short", "long", (frontEnd) => {
  const closing: { close: () => Promise<void> }[] = [];
  const { test, stack } = useStack({ frontEnd }, async () => {
    const settings = { graphs: ["agent"], variables: [], commit: null, now: Date.now };
    const server = await startAgentServer({ database: join(test.dataDir, "a.db"), ...settings });
    const runs = await startRuns(server.url, Date.now);
    closing.push(runs, server);
    const on = { deploymentUrl: runs.url };
    declare = (assistantId) => {
      stack.program = async ({ Assistant, Cron }) => {
        const assistant = new Assistant("support", { ...on, graphId: "agent", assistantId });
        const input = { messages: [] };
        const schedule = "0 9 * * *";
        new Cron("daily", { ...on, assistantId: assistant.assistantId, schedule, input });
      };
    };
  });
  after(() => Promise.all(closing.map((one) => one.close())));
  let declare: (assistantId: string) => void;

  it("is deleted first, so that the assistant can be, and previewed so", async () => {
    declare(FORMER);
    await expectDone(stack.up());
    declare(LATER);
    const both = { support: "replace", daily: "replace" };
    expect((await stack.preview()).steps).to.deep.equal(both);
    expect((await expectDone(stack.up())).steps).to.deep.equal(both);
    expect((await stack.preview()).changes).to.deep.equal({ same: 3 });
  });
});
