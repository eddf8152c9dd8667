import { expect } from "chai";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import type { Props } from "../../../provider/arguments/props";
import { contextOf } from "../../support/lifecycle";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { gitArgs } from "../../support/program";
import { initializationFailure } from "../../support/rejection";

describe("an update that the service has no way to do", () => {
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
