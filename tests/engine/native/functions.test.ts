import { output, runtime } from "@pulumi/pulumi";
import { expect } from "chai";
import { NATIVE } from "../../support/doors";
import { settingsFor, TestStack } from "../../support/engine";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { describeNightly } from "../../support/tiers";

/** As the SDK of any language calls a function. */
const call = (name: string, args: object = {}) =>
  runtime.invoke(`agentserver:index:${name}`, { ...args });

describeNightly("functions through the native provider", () => {
  let test: TestPlatform;
  let stack: TestStack;

  const run = async (program: () => Promise<Record<string, unknown>>) => {
    stack.program = program;
    const { ok, text } = await stack.up();
    expect(ok, text).to.equal(true);
    const outputs = await stack.outputs();
    return Object.fromEntries(Object.entries(outputs).map(([name, { value }]) => [name, value]));
  };

  before(async () => {
    test = await startTestPlatform();
    stack = await TestStack.create(settingsFor(test.platform), async () => undefined, NATIVE);
  });
  after(async () => {
    await stack.remove();
    await test.close();
  });

  it("find what is there, with the settings of the provider", async () => {
    const { id, name } = await test.create({
      secrets: [{ name: "KEY", value: "value-CANARY-of-a-secret" }],
    });
    const found = await run(async () => ({
      one: await call("getDeployment", { name }),
      every: await call("listDeployments"),
      revisions: await call("listRevisions", { deploymentId: id }),
      integration: await call("getIntegration", { name: "local" }),
      listeners: await call("listListeners"),
      providers: await call("listOAuthProviders"),
    }));
    expect(found["one"]).to.deep.include({ id, name, baseUrl: test.platform.url });
    expect(found).to.have.nested.property("every.deployments[0].id", id);
    expect(found).to.have.nested.property("revisions.revisions[0].deploymentId", id);
    expect(found).to.have.nested.property("integration.id", test.integrationId);
    expect(found).to.have.nested.property("listeners.listeners[0].id", test.listenerId);
    expect(found["providers"]).to.deep.equal({ providers: [] });
    expect(JSON.stringify(found)).not.to.contain("CANARY");
  });

  it("report wrong arguments, an unknown name and an unknown function in one sentence", async () => {
    const failure = async (name: string, args: object) => {
      stack.program = async () => ({ it: output(call(name, args)) });
      const { ok, text } = await stack.up();
      expect(ok).to.equal(false);
      return text;
    };
    expect(await failure("getDeployment", { nam: "x" }))
      .to.contain("get deployment: unknown argument 'nam'; did you mean name?")
      .and.contain("specify either id or name");
    expect(await failure("getDeployment", { name: "agent-11" })).to.contain("agent-1");
    expect(await failure("getAgents", {})).to.contain(
      "unknown function 'agentserver:index:getAgents'; there are agentserver:index:getDeployment",
    );
  });
});
