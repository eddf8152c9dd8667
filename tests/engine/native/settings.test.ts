import { expect } from "chai";
import { NATIVE } from "../../support/front-ends";
import { TestStack } from "../../support/engine";
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
});
