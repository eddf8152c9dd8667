import { join } from "node:path";
import { expect } from "chai";
import { startAgentServer } from "../../local/agentserver";
import { AgentServer } from "../../sdk";
import { makeRepository, type Repository } from "../local/repository";
import { expectDone } from "../support/run";
import { describeFrontEnds, lossThrough } from "../support/front-ends";
import { useStack } from "../support/engine";
import { gitArgs } from "../support/program";

describeFrontEnds("a replacement nobody should lose anything by", "long", "long", (frontEnd) => {
  let repository: Repository;

  /** A deployment with a thread, and others by their names alone. */
  const declare = (name: string, others: string[]) => {
    stack.program = async ({ Deployment, Thread }) => {
      const common = gitArgs(test, { repoUrl: repository.url });
      const made = others.map((other) => new Deployment(other, { ...common, name: other }));
      const { url: deploymentUrl, id } = new Deployment("support", { ...common, name });
      const { threadId } = new Thread("fixture", { deploymentUrl, graphId: "agent" });
      return { id, threadId, others: made.map((other) => other.id) };
    };
  };

  const { test, stack } = useStack({ frontEnd, driver: "process" }, async () => {
    repository = await makeRepository(join(test.dataDir, "repository"));
    declare("mine", ["other"]);
    await expectDone(stack.up());
  });

  it("plans to replace a thread with its deployment, so that an update with that plan may", async () => {
    const plan = join(stack.project.dir, "plan.json");
    declare("planned", ["other"]);
    const { steps } = await stack.preview({ plan });
    expect(steps).to.deep.equal({ support: "replace", fixture: "replace", other: "same" });
    const { steps: done } = await expectDone(stack.up({ plan }));
    expect(done).to.deep.equal(steps);
  });

  it("says what --replace and a taint delete, and nothing of what is new", async () => {
    declare("planned", ["other", "new"]);
    const ways = [
      () => stack.preview({ replace: [stack.urn("support")] }),
      () => stack.taint("support").then(() => stack.preview()),
    ];
    for (const preview of ways) {
      const { ok, text, steps, messages } = await preview();
      expect(ok, text).to.equal(true);
      expect(steps).to.include({ support: "replace", fixture: "replace", new: "create" });
      const replaced = messages.filter((message) => message.startsWith("replaced "));
      expect(replaced).to.have.length(1);
      expect(replaced[0]).to.contain(`replaced instead of updated: ${lossThrough(frontEnd)};`);
    }
  });
});

describeFrontEnds(
  "a forced replacement behind an address that stays",
  "long",
  "long",
  (frontEnd) => {
    let server: Awaited<ReturnType<typeof startAgentServer>>;

    const { test, stack } = useStack({ frontEnd }, async () => {
      const settings = { graphs: ["agent"], variables: [], commit: null, now: Date.now };
      server = await startAgentServer({ database: join(test.dataDir, "a.db"), ...settings });
    });
    after(() => server.close());

    it("replaces what its agent server kept, as its preview says", async () => {
      stack.program = async ({ Deployment, Thread, Assistant }) => {
        const { id: deploymentId } = new Deployment("support", {
          ...gitArgs(test),
          name: "support",
        });
        const on = { deploymentUrl: server.url, deploymentId, graphId: "agent" };
        return [new Thread("fixture", on).threadId, new Assistant("prompt", on).assistantId];
      };
      await expectDone(stack.up());
      const forced = { replace: [stack.urn("support")] };
      const { steps } = await stack.preview(forced);
      expect(steps).to.deep.equal({ support: "replace", fixture: "replace", prompt: "replace" });
      expect((await expectDone(stack.up(forced))).steps).to.deep.equal(steps);
    });

    it("is not what a preview says of a resource that its refresh finds gone", async () => {
      const { assistants } = new AgentServer({ url: server.url });
      const all = await assistants.search();
      const { assistant_id: id } = all.find(({ name }) => name === "prompt") ?? {};
      await assistants.delete(id ?? "");
      const { steps, messages } = await expectDone(stack.preview({ refresh: true }));
      expect(steps).to.deep.equal({ support: "same", fixture: "same", prompt: "create" });
      expect(messages.join()).not.to.contain("replaced");
    });
  },
);
