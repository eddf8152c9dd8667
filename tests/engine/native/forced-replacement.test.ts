import { CustomResource, type CustomResourceOptions } from "@pulumi/pulumi";
import { expect } from "chai";
import type { DeploymentArgs } from "pulumi-agentserver";
import { expectDone } from "../../support/run";
import { useStack } from "../../support/engine";
import { NATIVE } from "../../support/front-ends";
import { gitArgs } from "../../support/program";
import { describeLong } from "../../support/tiers";

/** The kinds of names, by the logical names of the deployments that have them. */
const NAMES: Record<string, Partial<DeploymentArgs>> = {
  derived: {},
  given: { name: "given" },
  adopted: { name: "adopted", adoptExisting: true },
};

/** As programs of other languages declare it: no class sets `deleteBeforeReplace` for them. */
class PlainDeployment extends CustomResource {
  constructor(name: string, args: object, options: CustomResourceOptions) {
    super("agentserver:index:Deployment", name, { ...args, url: undefined }, options);
  }
}

describeLong("a replacement through the native provider that no class makes delete first", () => {
  const declare = (options: CustomResourceOptions = {}) => {
    stack.program = async () => {
      for (const [name, own] of Object.entries(NAMES))
        new PlainDeployment(name, { ...gitArgs(test), ...own }, options);
    };
  };
  const live = async () => (await test.deployments()).map(({ id }) => id);
  const ids = async () => (await stack.deployments()).map(({ id }) => id);

  const { test, stack } = useStack({ frontEnd: NATIVE }, async () => {
    declare();
    await expectDone(stack.up());
  });

  it("is refused where it is forced, with adoptExisting too, loses nothing, and comes about with the option", async () => {
    const before = await ids();
    const replace = Object.keys(NAMES).map((name) => stack.urn(name));
    const { ok, text } = await stack.up({ replace, continueOnError: true });
    expect(ok).to.equal(false);
    for (const id of before)
      expect(text)
        .to.contain(
          `deployment ${id} has this name already, and the state has it as this resource\n`,
        )
        .and.contain("to replace it, set the option deleteBeforeReplace: true\n");
    expect(await ids()).to.deep.equal(before);
    expect(await live()).to.have.members(before);
    declare({ deleteBeforeReplace: true });
    await expectDone(stack.up({ replace }));
    expect(await live()).to.have.members(await ids());
    expect(await live()).not.to.include.oneOf(before);
  });
});
