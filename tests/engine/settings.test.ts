import { expect } from "chai";
import { variablesOf } from "../support/builders";
import { expectDone } from "../support/run";
import { describeFrontEnds } from "../support/front-ends";
import { settingsFor, TestStack } from "../support/engine";
import { usePlatform } from "../support/platform";
import { gitArgs, supportProgram } from "../support/program";

describeFrontEnds("settings", "nightly", "nightly", (frontEnd) => {
  const { Deployment } = frontEnd.sdk;
  const test = usePlatform();
  const stacks: TestStack[] = [];
  const stackWith: typeof TestStack.create = async (config, program) => {
    const stack = await TestStack.create(config, program, frontEnd);
    stacks.push(stack);
    return stack;
  };

  after(() => Promise.all(stacks.map((stack) => stack.remove())));

  const keyIs = (value: string) => ({ "agentserver:apiKey": { value, secret: true } });

  it("names the command where the configuration has a key in clear, and keeps it in clear nowhere", async () => {
    const { apiKey: value } = test.platform;
    const config = { ...settingsFor(test.platform), "agentserver:apiKey": { value } };
    const stack = await stackWith(config, supportProgram({ ...gitArgs(test), name: "plain" }));
    const { ok, messages } = await stack.up();
    expect(ok).to.equal(frontEnd.name === "native");
    expect(messages.join("\n")).to.contain("run `pulumi config set --secret agentserver:apiKey`");
    expect(await stack.stateFiles("stacks")).not.to.contain(value);
    await stack.configure(keyIs(value));
    expect((await stack.up()).messages.join("\n")).not.to.contain("must be secret");
  });

  it("reads what another program manages with every output, and encrypts variables, also those that a refresh brings in", async () => {
    const theirs = await test.create({ secrets: [{ name: "A", value: "value-CANARY-1" }] });
    const stack = await stackWith(settingsFor(test.platform), async () => {
      const { id } = new Deployment("own", { ...gitArgs(test), env: { LOG_LEVEL: "info" } });
      const { name, url, secrets } = Deployment.get("theirs", theirs.id);
      return { id, name, url, secrets };
    });
    await expectDone(stack.up());
    const { id, name, url, secrets } = await stack.outputs();
    expect(name?.value).to.equal(theirs.name);
    expect(url?.value).to.contain(theirs.id);
    expect(secrets).to.deep.equal({ value: { A: "value-CANARY-1" }, secret: true });
    const changed = variablesOf({ LOG_LEVEL: "info", ADDED: "value-CANARY-2" });
    await test.request("PATCH", `/v2/deployments/${id?.value}`, { secrets: changed });
    await expectDone(stack.refresh());
    expect(JSON.stringify(await stack.resources())).to.contain("ADDED");
    expect(await stack.stateFiles()).not.to.contain("CANARY");
  });
});
