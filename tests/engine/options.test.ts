import { expect } from "chai";
import { expectDone } from "../support/run";
import { describeFrontEnds } from "../support/front-ends";
import { useStack } from "../support/engine";
import { gitArgs, programOf } from "../support/program";

describeFrontEnds("a ref in ignoreChanges that others change", "long", "nightly", (frontEnd) => {
  let id = "";

  const declare = (level: string, repoRef: string) => {
    const args = { ...gitArgs(test, { repoRef }), env: { LOG_LEVEL: level } };
    const options = { ignoreChanges: ["sourceRevisionConfig.repoRef"] };
    stack.program = programOf({ support: { args, options } });
  };

  const { test, stack } = useStack({ frontEnd }, async () => {
    declare("info", "main");
    await expectDone(stack.up());
    ({ id } = await stack.deployment());
  });

  for (const [when, level, ref, refresh] of [
    ["before a refresh has seen it", "debug", "elsewhere", false],
    ["when a refresh has seen it", "warn", "further", true],
  ] as const)
    it(`is not put back with another change: ${when}`, async () => {
      const changes = { source_revision_config: { repo_ref: ref } };
      await test.request("PATCH", `/v2/deployments/${id}`, changes);
      await test.untilRevision(id, "DEPLOYED");
      declare(level, refresh ? "next" : "main");
      const { steps } = await expectDone(stack.up({ refresh }));
      expect(steps).to.deep.equal({ support: "update" });
      const { source_revision_config: source, secrets } = await test.get(id);
      expect(source.repo_ref).to.equal(ref);
      expect(secrets).to.deep.equal([{ name: "LOG_LEVEL", value: level }]);
    });
});
