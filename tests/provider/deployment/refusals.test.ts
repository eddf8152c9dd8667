import { expect } from "chai";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import type { DialectName } from "pulumi-agentserver/sdk";
import { refusals } from "../../../provider/deployment/refusals";
import type { Props } from "../../../provider/arguments/props";
import { planBetween } from "../../support/deployment";
import { GIT_INPUTS } from "../../support/inputs";
import { contextOf } from "../../support/lifecycle";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { gitArgs } from "../../support/program";
import { initializationFailure } from "../../support/rejection";

describe("an update that the service has no way to do", () => {
  const reasons = (olds: Props, news: Props, dialect: DialectName = "agentserver") =>
    refusals(planBetween(olds, news), dialect).map(({ property, reason }) =>
      `${property} ${reason}`.trim(),
    );

  it("is refused with what to declare instead", () => {
    const commands = { installCommand: "npm ci", buildCommand: "make" };
    const olds = { ...GIT_INPUTS, sourceConfig: { ...GIT_INPUTS.sourceConfig, ...commands } };
    expect(reasons(olds, GIT_INPUTS)).to.deep.equal([
      "sourceConfig.installCommand can't be removed, since the service has no way to clear it; set the command that is detected without it: `npm ci` with a package-lock.json, `yarn install`, `pnpm i --frozen-lockfile` or `bun i` with the lock file of these, else `npm i`",
      "sourceConfig.buildCommand can't be removed, since the service has no way to clear it; set a command that does nothing: `true`",
    ]);
    const [one, none] = [{ A: "1" }, {}].map((env) => ({ ...GIT_INPUTS, env }));
    expect(reasons(one ?? {}, none ?? {})).to.be.empty;
    expect(reasons(one ?? {}, none ?? {}, "langsmith")).to.deep.equal([
      "the last variable can't be removed (A), since the service has no way to clear the environment; keep one variable, or replace the deployment with `pulumi up --replace`, which deletes its threads and database",
    ]);
    expect(reasons(GIT_INPUTS, olds)).to.be.empty;
  });

  describe("after a first command that failed", () => {
    let test: TestPlatform;
    beforeEach(async () => (test = await startTestPlatform()));
    afterEach(() => test.close());

    const context = () => contextOf(test.platform);
    const withInstall = (installCommand?: string) => {
      const { sourceConfig, ...args } = gitArgs(test);
      const config = { ...sourceConfig, ...(installCommand !== undefined && { installCommand }) };
      return { ...args, name: "support", sourceConfig: config };
    };

    it("is refused at the preview already, not at a refresh, and the way out that it names works", async () => {
      const { inputs = {} } = await lifecycle.check({}, withInstall(), context());
      const { id, outs } = await lifecycle.create(inputs, context());
      test.platform.admin.addOutcome({ stage: "build", status: "BUILD_FAILED", reason: "boom" });
      const broken = (await lifecycle.check(inputs, withInstall("npm broken"), context())).inputs;
      const { properties } = await initializationFailure(
        lifecycle.update(id, outs, broken ?? {}, context()),
      );

      // The engine keeps the old inputs and the new outputs; a refresh asks no check.
      const processCache = { ...context().processCache, existing: new Map<string, Props>() };
      const refresh = { ...context(), processCache };
      expect(() => lifecycle.diff(id, properties, inputs, refresh)).not.to.throw();

      const reverted = (await lifecycle.check(inputs, withInstall(), context())).inputs ?? {};
      expect(() => lifecycle.diff(id, properties, reverted, context())).to.throw(
        /installCommand can't be removed.*`npm ci`/,
      );
      const { inputs: fixed = {} } = await lifecycle.check(
        inputs,
        withInstall("npm ci"),
        context(),
      );
      lifecycle.diff(id, properties, fixed, context());
      const { outs: updated } = await lifecycle.update(id, properties, fixed, context());
      expect(updated).to.include({ ready: true });
      expect((await test.get(id)).source_config.install_command).to.equal("npm ci");
    });
  });
});
