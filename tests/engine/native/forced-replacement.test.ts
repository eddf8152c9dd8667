import { CustomResource, type CustomResourceOptions } from "@pulumi/pulumi";
import { expect } from "chai";
import type { DeploymentArgs } from "pulumi-agentserver";
import { settingsFor, TestStack } from "../../support/engine";
import { NATIVE } from "../../support/front-ends";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { gitArgs } from "../../support/program";
import type { Run } from "../../support/run";
import { describeLong } from "../../support/tiers";

/** The kinds of names, by the logical names of the deployments that have them. */
const NAMES: Record<string, Partial<DeploymentArgs>> = {
  derived: {},
  given: { name: "given" },
  adopted: { name: "adopted", adoptExisting: true },
};
const ON_REF = { replaceOnChanges: ["sourceRevisionConfig.repoRef"] };
const FIRST = { deleteBeforeReplace: true };

/** As programs of other languages declare it: no class sets `deleteBeforeReplace` for them. */
class PlainDeployment extends CustomResource {
  constructor(name: string, args: object, options: CustomResourceOptions) {
    super("agentserver:index:Deployment", name, { ...args, url: undefined }, options);
  }
}

describeLong("a forced replacement through the native provider", () => {
  let test: TestPlatform;
  let stack: TestStack;

  const declare = (repoRef: string, options: CustomResourceOptions = {}) => {
    const revision = { repoRef, graphConfigPath: "langgraph.json" };
    const common = { ...gitArgs(test), sourceRevisionConfig: revision };
    stack.program = async () => {
      for (const [name, own] of Object.entries(NAMES))
        new PlainDeployment(name, { ...common, ...own }, options);
    };
  };
  const live = async () => (await test.deployments()).map(({ id }) => id);
  const ids = async () =>
    Object.fromEntries((await stack.deployments()).map(({ name, id }) => [name, id]));
  const replaceAll = () =>
    stack.up({
      replace: Object.keys(NAMES).map((name) => stack.urn(name)),
      continueOnError: true,
    });
  const taintAll = async () => {
    for (const name of Object.keys(NAMES)) await stack.taint(name);
    return stack.up({ continueOnError: true });
  };
  const onChange = () => {
    declare("next", ON_REF);
    return stack.up({ continueOnError: true });
  };
  const forced: [string, () => Promise<Run>][] = [
    ["--replace", replaceAll],
    ["pulumi state taint", taintAll],
    ["replaceOnChanges", onChange],
  ];

  beforeEach(async () => {
    test = await startTestPlatform();
    stack = await TestStack.create(settingsFor(test.platform), async () => undefined, NATIVE);
    declare("main");
    const { ok, text } = await stack.up();
    expect(ok, text).to.equal(true);
  });
  afterEach(async () => {
    await stack.remove();
    await test.close();
  });

  for (const [what, run] of forced)
    it(`loses nothing after ${what} where the new one is created first: it is refused, with adoptExisting too`, async () => {
      const before = await ids();
      const { ok, text } = await run();
      expect(ok).to.equal(false);
      for (const id of Object.values(before))
        expect(text)
          .to.contain(
            `deployment ${id} has this name already, and the state has it as this resource; `,
          )
          .and.contain("to replace it, set the option deleteBeforeReplace: true; ");
      expect(await ids()).to.deep.equal(before);
      expect(await live()).to.have.members(Object.values(before));
      // A taint stays until the replacement has come about.
      const way = what === "pulumi state taint" ? FIRST : {};
      declare(what === "replaceOnChanges" ? "next" : "main", way);
      const next = await stack.up();
      expect(next.ok, next.text).to.equal(true);
      expect((await stack.preview()).changes).to.deep.equal({ same: 4 });
      expect(await live()).to.have.members(Object.values(await ids()));
    });

  it("replaces each with deleteBeforeReplace: true, and leaves exactly the ones of the state", async () => {
    const changeAll = () => {
      declare("next", { ...ON_REF, ...FIRST });
      return stack.up();
    };
    for (const run of [replaceAll, taintAll, changeAll]) {
      const before = await ids();
      declare("main", FIRST);
      const { ok, text } = await run();
      expect(ok, text).to.equal(true);
      const after = await ids();
      expect(await live()).to.have.members(Object.values(after));
      expect(Object.values(after)).not.to.include.oneOf(Object.values(before));
    }
  });

  it("deletes first without the option where an argument asks for it", async () => {
    const before = await ids();
    stack.program = async () => {
      const { sourceConfig, ...args } = gitArgs(test);
      const repoUrl = "https://git.example.com/acme/moved.git";
      for (const [name, own] of Object.entries(NAMES))
        new PlainDeployment(
          name,
          { ...args, sourceConfig: { ...sourceConfig, repoUrl }, ...own },
          {},
        );
    };
    const { ok, text } = await stack.up();
    expect(ok, text).to.equal(true);
    expect(await live()).to.have.members(Object.values(await ids()));
    expect(await live()).not.to.include.oneOf(Object.values(before));
  });
});
