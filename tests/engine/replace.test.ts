import type { CustomResourceOptions } from "@pulumi/pulumi";
import { expect } from "chai";
import type { DeploymentArgs } from "pulumi-agentserver";
import { describeFrontEnds, DYNAMIC, itOnlyOn, lossThrough } from "../support/front-ends";
import { useStack } from "../support/engine";
import { gitArgs, programOf } from "../support/program";
import { expectDone, type Run } from "../support/run";

/** The kinds of names, by the logical names of the deployments that have them. */
const NAMES: Record<string, Partial<DeploymentArgs>> = {
  derived: {},
  given: { name: "given" },
  adopting: { name: "adopting", adoptExisting: true },
  component: {},
};
/** As a component passes its own option on, which nobody gave. */
const PASSED_ON: Record<string, object> = {
  adopting: { deleteBeforeReplace: undefined },
  component: { deleteBeforeReplace: undefined },
};
const ALL_REPLACED = Object.fromEntries(Object.keys(NAMES).map((name) => [name, "replace"]));
const ON_REF = { replaceOnChanges: ["sourceRevisionConfig.repoRef"] };
const ON_FAILURE = { replaceOnChanges: ["#initerror"] };

describeFrontEnds("replacement", "long", "long", (frontEnd) => {
  const declare = (
    repository: string,
    repoRef: string,
    options: CustomResourceOptions = {},
    names = NAMES,
  ) => {
    const repoUrl = `https://git.example.com/acme/${repository}.git`;
    const common = gitArgs(test, { repoUrl, repoRef });
    const declarations = Object.entries(names).map(([name, own]) => {
      return [name, { args: { ...common, ...own }, options: { ...PASSED_ON[name], ...options } }];
    });
    stack.program = programOf(Object.fromEntries(declarations));
  };
  const live = async () => (await test.deployments()).map(({ id }) => id);
  /** Runs the engine and looks whether everything is another deployment now, and nothing is left or lost. */
  const replaceAll = async (run: () => Promise<Run>) => {
    const before = await stack.deployments();
    const { ok, text, steps } = await run();
    expect(ok, text).to.equal(true);
    expect(steps).to.deep.equal(ALL_REPLACED);
    const after = await stack.deployments();
    expect(await live()).to.have.members(after.map(({ id }) => id));
    expect(after).to.have.length(before.length);
    expect(after.map(({ id }) => id)).not.to.include.oneOf(before.map(({ id }) => id));
    const names = (resources: typeof after) => resources.map(({ outputs }) => outputs["name"]);
    return { before: names(before), after: names(after) };
  };

  const { test, stack } = useStack({ frontEnd }, async () => {
    declare("support", "main");
    await stack.up();
  });

  const forced: Record<string, () => Promise<Run>> = {
    "--replace": () => stack.up({ replace: Object.keys(NAMES).map((name) => stack.urn(name)) }),
    "pulumi state taint": async () => {
      for (const name of Object.keys(NAMES)) await stack.taint(name);
      return stack.up();
    },
    replaceOnChanges: () => {
      declare("support", "next", ON_REF);
      return stack.up();
    },
  };
  for (const [what, run] of Object.entries(forced))
    it(`leaves exactly one deployment of each kind of name after ${what}, the one in the state`, async () => {
      const { before, after } = await replaceAll(run);
      expect(after).to.have.members(before);
    });

  it("heeds replaceOnChanges where protect or retainOnDelete changes too", async () => {
    declare("support", "further", { retainOnDelete: true, ...ON_REF });
    expect((await expectDone(stack.preview())).steps).to.deep.equal(ALL_REPLACED);
  });

  it("leaves exactly one after #initerror too, when the first revisions had failed", async () => {
    for (const _ of Object.keys(NAMES)) test.fails("BUILD_FAILED", "broken");
    declare("support", "broken", ON_REF);
    expect((await stack.up({ continueOnError: true })).ok).to.equal(false);
    for (const { initErrors } of await stack.deployments()) expect(initErrors).to.have.length(1);
    declare("support", "fixed", ON_REF);
    const { steps } = await expectDone(stack.preview());
    expect(steps).to.deep.equal(ALL_REPLACED);
    declare("support", "broken", ON_FAILURE);
    const { before, after } = await replaceAll(() => stack.up());
    expect(after).to.have.members(before);
    for (const { initErrors } of await stack.deployments()) expect(initErrors).to.be.empty;
  });

  it("deletes first when an immutable field changes, and says so", async () => {
    declare("moved", "broken");
    const { messages } = await stack.preview();
    const { before, after } = await replaceAll(() => stack.up());
    expect(messages.join()).to.contain(
      `replaced, since repoUrl can't be changed: ${lossThrough(frontEnd)}`,
    );
    expect(after.filter((name) => before.includes(name))).to.have.members(["given", "adopting"]);
  });

  it("creates first with deleteBeforeReplace: false, and leaves the old one serving while the new one fails", async () => {
    const old = await live();
    for (const _ of old) test.fails("BUILD_FAILED", "no");
    const derived = { derived: {}, adopting: { name: "elsewhere", adoptExisting: true } };
    declare("last", "main", { deleteBeforeReplace: false }, derived);
    const { messages } = await stack.preview();
    expect(messages.join()).to.contain(
      `since repoUrl can't be changed: ${lossThrough(frontEnd, "last")}`,
    );
    expect((await stack.up()).ok).to.equal(false);
    expect(await live()).to.include.members(old);
    test.platform.admin.clearOutcomes();
    await expectDone(stack.up());
    expect(await live()).not.to.include.oneOf(old);
    expect(await live()).to.have.members((await stack.deployments()).map(({ id }) => id));
  });

  itOnlyOn(DYNAMIC, frontEnd)(
    "adopts nothing that is deleted afterwards: a forced replacement that creates first is refused",
    async () => {
      const before = await live();
      const replace = [stack.urn("derived"), stack.urn("adopting")];
      const { ok, text } = await stack.up({ replace });
      expect(ok).to.equal(false);
      expect(text).to.match(
        /remove the option deleteBeforeReplace: false\n +else choose another name/,
      );
      expect(await live()).to.have.members(before);
    },
  );
});
