import { expect } from "chai";
import { NATIVE } from "../../support/front-ends";
import { settingsFor, TestStack } from "../../support/engine";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { gitArgs } from "../../support/program";
import { describeNightly } from "../../support/tiers";

const KEY = "key-CANARY-of-the-control-plane";

describeNightly("settings of the native provider", () => {
  let test: TestPlatform;
  let stack: TestStack | undefined;

  before(async () => {
    test = await startTestPlatform();
  });
  afterEach(async () => {
    await stack?.remove();
    stack = undefined;
  });
  after(() => test.close());

  const withConfig = async (config: Record<string, { value: string; secret?: boolean }>) => {
    stack = await TestStack.create(
      config,
      async ({ Deployment }) => {
        for (const name of ["first", "second"]) new Deployment(name, gitArgs(test));
      },
      NATIVE,
    );
    return stack;
  };
  const row = "pulumi:providers:agentserver resource 'default' has a problem: ";

  it("are all reported at once where they are wrong, on the provider's row", async () => {
    const made = await withConfig({
      "agentserver:baseUrl": { value: "http://agents.example.com" },
      "agentserver:apiKey": { value: `${KEY}\n`, secret: true },
      "agentserver:dialect": { value: "klingon" },
      "agentserver:waitTimeoutSecond": { value: "5" },
    });
    const { ok, messages, text } = await made.preview();
    expect(ok).to.equal(false);
    const errors = messages.filter((message) => message.includes("has a problem"));
    for (const error of errors) expect(error).to.contain(row);
    for (const part of ["baseUrl", "apiKey", "dialect must be one of", "workspaceId is missing"])
      expect(errors.join("\n")).to.contain(`${row}agentserver:${part}`);
    expect(errors.join("\n")).to.contain("did you mean agentserver:waitTimeoutSeconds?");
    expect(text + messages.join()).not.to.contain("CANARY");
  });

  it("are reported by each resource that needs them where there are none at all", async () => {
    const made = await withConfig({});
    const { ok, messages } = await made.preview();
    expect(ok).to.equal(false);
    expect(messages.join("\n"))
      .to.match(
        /Deployment resource '(first|second)' has a problem: agentserver:baseUrl is missing/,
      )
      .and.not.contain(row);
  });

  it("change nothing when they change, and are secret in the state", async () => {
    const made = await withConfig(settingsFor(test.platform));
    const first = await made.up();
    expect(first.ok, first.text).to.equal(true);
    await made.configure({ "agentserver:waitTimeoutSeconds": { value: "60" } });
    const { ok, text, steps } = await made.up();
    expect(ok, text).to.equal(true);
    expect(steps).to.deep.equal({ first: "same", second: "same" });
    expect(await made.stateFiles()).not.to.contain(test.platform.apiKey);
  });

  it("are the arguments of a Provider, each of its own type, which is secret in the state", async () => {
    const made = await withConfig({});
    const { url, apiKey, workspaceId } = test.platform;
    made.program = async ({ Deployment, Provider }) => {
      const args = { baseUrl: url, apiKey, workspaceId };
      const provider = new Provider("default-eu", {
        ...args,
        selfHosted: false,
        waitTimeoutSeconds: 60,
      });
      new Deployment("first", { ...gitArgs(test), name: "of-a-provider" }, { provider });
    };
    const { ok, text } = await made.up();
    expect(ok, text).to.equal(true);
    expect(await made.stateFiles()).not.to.contain(apiKey);
  });
});
