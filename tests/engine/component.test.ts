import { ComponentResource, type ComponentResourceOptions } from "@pulumi/pulumi";
import { expect } from "chai";
import { Deployment } from "pulumi-agentserver";
import { settingsFor, TestStack } from "../support/engine";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { gitArgs } from "../support/program";
import { describeLong } from "../support/tiers";

describeLong("a component of several resources, on the real engine", () => {
  /** A component with two deployments as its children. */
  class Team extends ComponentResource {
    constructor(name: string, test: TestPlatform, options?: ComponentResourceOptions) {
      super("test:index:Team", name, {}, options);
      for (const role of ["support", "billing"])
        new Deployment(`${name}-${role}`, gitArgs(test), { parent: this });
    }
  }

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

  const refused = async () => {
    const { ok, text, messages } = await stack.up();
    expect(ok, text).to.equal(false);
    expect(await stack.deployments()).to.be.empty;
    return [text, ...messages].join("\n");
  };

  it("ends the program with the error of its registration: a name used twice", async () => {
    stack.program = async () => {
      new ComponentResource("test:index:Team", "shop");
      new Team("shop", test);
    };
    expect(await refused())
      .to.contain("Duplicate resource URN")
      .and.contain("test:index:Team::shop");
  });

  it("ends the program with the error of a parent whose create failed", async () => {
    stack.program = async () => {
      const args = { ...gitArgs(test), name: "taken" };
      const parent = new Deployment("support", args);
      new Deployment("support-mail", gitArgs(test), { parent });
      new Deployment("support-chat", gitArgs(test), { parent });
    };
    await test.create({ name: "taken" });
    expect(await refused())
      .to.contain("taken")
      .and.contain("adoptExisting");
  });
});
