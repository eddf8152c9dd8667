import { output } from "@pulumi/pulumi";
import { expect } from "chai";
import { Deployment } from "pulumi-agentserver";
import { settingsFor, TestStack } from "../support/engine";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { gitArgs } from "../support/program";
import { untyped } from "../support/values";
import { describeNightly } from "../support/tiers";

describeNightly("a variable whose value is undefined, on the real engine", () => {
  let test: TestPlatform;
  let stack: TestStack;
  before(async () => {
    test = await startTestPlatform();
    stack = await TestStack.create(settingsFor(test.platform), async () => undefined);
  });
  after(async () => {
    await stack.remove();
    await test.close();
  });

  /** As `process.env.KEY!` is in a pipeline that lacks it. */
  const missing = (name: string): string => untyped(process.env[`MISSING_${name}`]);

  it("is refused by its name at the preview, as an output too and beside what is not known yet", async () => {
    stack.program = async () => {
      const { url } = new Deployment("first", gitArgs(test));
      new Deployment("second", {
        ...gitArgs(test),
        env: { PLAIN: missing("PLAIN"), KNOWN: "known" },
        secrets: {
          UPSTREAM: url,
          ABSENT: missing("ABSENT"),
          OUTPUT: output(Promise.resolve(missing("OUTPUT"))),
        },
      });
    };
    const { ok, text } = await stack.preview();
    expect(ok).to.equal(false);
    for (const path of ["env.PLAIN", "secrets.ABSENT", "secrets.OUTPUT"])
      expect(text).to.contain(`${path} has no value, which would remove it from the deployment`);
    expect(text).not.to.match(/KNOWN is|UPSTREAM is/);
  });

  it("is refused in a map that is an output, and nothing is removed", async () => {
    const declare = (key: string | undefined) => {
      stack.program = async () => {
        const secrets = output({ KEY: "value", OTHER: key ?? missing("OTHER") });
        new Deployment("first", { ...gitArgs(test), secrets });
      };
    };
    declare("other");
    const first = await stack.up();
    expect(first.ok, first.text).to.equal(true);
    declare(undefined);
    const { ok, text } = await stack.up();
    expect(ok).to.equal(false);
    expect(text).to.contain("secrets.OTHER is undefined");
    const { secrets } = await test.get((await stack.deployment()).id);
    expect(secrets?.map(({ name }) => name)).to.deep.equal(["KEY", "OTHER"]);
  });
});
