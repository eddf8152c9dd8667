import { expect } from "chai";
import { expectDone } from "../../support/run";
import { DYNAMIC, NATIVE } from "../../support/front-ends";
import { type TestStack, useStack } from "../../support/engine";
import type { TestPlatform } from "../../support/platform";
import { gitArgs, programOf } from "../../support/program";
import { describeLong } from "../../support/tiers";

describeLong("a resource of one front end that finds what the other one has", () => {
  let test: TestPlatform;
  let stack: TestStack;
  let id = "";

  useStack({ frontEnd: NATIVE }, async (made) => {
    ({ test, stack } = made);
    stack.program = programOf({ support: { args: gitArgs(test) } });
    await expectDone(stack.up());
    ({ id } = await stack.deployment());
  });

  const isThere = async () => expect((await test.get(id)).status).to.equal("READY");

  it("is refused without the alias, with adoptExisting too, and nothing is deleted", async () => {
    stack.frontEnd = DYNAMIC;
    for (const adoptExisting of [false, true]) {
      stack.program = programOf({ support: { args: { ...gitArgs(test), adoptExisting } } });
      const { ok, text } = await stack.up();
      expect(ok).to.equal(false);
      expect(text).to.contain(
        `set the option aliases: ["urn:pulumi:test::shop::agentserver:index:Deployment::support"]`,
      );
      await isThere();
    }
  });

  it("is refused beside it in one program", async () => {
    stack.program = async () => {
      for (const { sdk } of [NATIVE, DYNAMIC]) new sdk.Deployment("support", gitArgs(test));
    };
    const { ok, text } = await stack.up({ continueOnError: true });
    expect(ok).to.equal(false);
    expect(text).to.contain(`deployment ${id} has this name already`);
    stack.program = programOf({ support: { args: gitArgs(test) } });
    stack.frontEnd = NATIVE;
    await stack.up();
    await isThere();
  });

  it("takes its place with the alias that the error gives", async () => {
    stack.frontEnd = DYNAMIC;
    const aliases = ["urn:pulumi:test::shop::agentserver:index:Deployment::support"];
    stack.program = programOf({ support: { args: gitArgs(test), options: { aliases } } });
    await expectDone(stack.up());
    expect((await stack.deployment()).id).to.equal(id);
    await isThere();
  });
});
