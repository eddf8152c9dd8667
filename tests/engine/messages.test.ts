import { expect } from "chai";
import type { ExternalContainerDeploymentArgs } from "pulumi-agentserver";
import { expectDone } from "../support/run";
import { describeFrontEnds, DYNAMIC, itOnlyOn, lossThrough } from "../support/front-ends";
import { useStack } from "../support/engine";
import { programOf, supportProgram } from "../support/program";

describeFrontEnds("what is said on a deployment's line", "long", "nightly", (frontEnd) => {
  const args = (name: string): ExternalContainerDeploymentArgs => ({
    name,
    source: "external_container",
    sourceConfig: { resourceSpec: { cpu: 1, orchestratorCpu: 1 } },
    sourceRevisionConfig: { imageUri: "registry.example.com/acme/support:1" },
    env: { LANGSMITH_TENANT_ID: "theirs" },
  });
  const { test, stack } = useStack({ frontEnd }, async () => {
    stack.program = supportProgram(args("first"));
    await expectDone(stack.up());
  });

  it("is said once though the engine checks a replacement twice", async () => {
    stack.program = supportProgram(args("second"));
    const { messages, text } = await stack.preview();
    const reason = `replaced, since name can't be changed: ${lossThrough(frontEnd)}`;
    expect(messages).to.have.length(1);
    expect(text.split(reason), "the reason stands once in what the CLI prints").to.have.length(2);
  });

  it("names no hidden input where a resource is renamed and given an option with a change", async () => {
    const options = { aliases: [{ name: "support" }], replaceOnChanges: ["env"] };
    const declare = (changes: object) =>
      (stack.program = programOf({
        helpdesk: { args: { ...args("first"), ...changes }, options },
      }));
    declare({ sourceRevisionConfig: { imageUri: "registry.example.com/acme/support:9" } });
    const update = await stack.preview();
    expect(update.steps, update.text).to.deep.equal({ helpdesk: "update" });
    expect(update.text).to.contain("[diff: ~sourceRevisionConfig]");
    declare({ env: { LANGSMITH_TENANT_ID: "ours" } });
    const replacement = await stack.preview();
    expect(replacement.steps["helpdesk"], replacement.text).to.equal("replace");
    expect(replacement.text).to.match(/\[diff: ~env(,sourceRevisionConfig)?\]/);
  });

  itOnlyOn(DYNAMIC, frontEnd)("is true of retainOnDelete after a refresh", async () => {
    for (const [retainOnDelete, effect] of [
      [true, "the old one stays, since retainOnDelete is set"],
      [false, lossThrough(frontEnd)],
    ] as const) {
      const declare = (name: string) =>
        (stack.program = programOf({
          support: { args: args(name), options: { retainOnDelete } },
        }));
      declare("first");
      await expectDone(stack.up());
      declare("second");
      const { messages } = await stack.preview({ refresh: true });
      expect(messages.join()).to.contain(`replaced, since name can't be changed: ${effect}`);
    }
  });

  it("is once why a refresh fails", async () => {
    test.answers({ method: "GET" }, 403, undefined, 9);
    const { ok, messages } = await stack.refresh();
    test.platform.admin.clearFaults();
    expect(ok).to.equal(false);
    expect(messages.filter((message) => message.includes("get deployment"))).to.have.length(1);
    expect(messages.filter((message) => /: *$/.test(message))).to.be.empty;
  });
});
