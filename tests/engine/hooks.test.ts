import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { expectDone } from "../support/run";
import { describeFrontEnds } from "../support/front-ends";
import { useStack } from "../support/engine";
import { gitArgs, programOf } from "../support/program";

describeFrontEnds("a hook of the program that retries what failed", "long", "long", (frontEnd) => {
  const declare = (repoRef: string) => {
    const hook = new pulumi.ErrorHook("retry", ({ errors }) => errors.length === 1);
    const options = { hooks: { onError: [hook] } };
    return programOf({ support: { args: gitArgs(test, { repoRef }), options } });
  };
  const sent = (request: string) => test.platform.admin.requests()[request] ?? 0;

  before(function () {
    // The oldest SDKs have none.
    if (!Reflect.has(pulumi, "ErrorHook")) this.skip();
  });
  const { test, stack } = useStack({ frontEnd });

  for (const [verb, repoRef, requests] of [
    ["create", "main", [1, 1]],
    ["update", "next", [0, 2]],
  ] as const)
    it(`continues the ${verb} with one new revision, keeps its id, and says what Pulumi keeps in the state`, async () => {
      stack.program = async (sdk) => declare(repoRef)(sdk);
      test.platform.admin.clearRequests();
      test.fails("BUILD_FAILED", "boom");
      const { text } = await expectDone(stack.up());
      const { id, outputs, initErrors } = await stack.deployment();
      // Of a create, newer engines keep none.
      expect(text.includes("Pulumi keeps the error of the first attempt in the state")).to.equal(
        initErrors.length > 0,
      );
      if (verb === "update") expect(initErrors).to.have.length(1);
      expect(outputs).to.include({ ready: true });
      expect((await test.get(id)).source_revision_config.repo_ref).to.equal(repoRef);
      const patches = () => sent("PATCH /v2/deployments/{deployment_id}");
      expect([sent("POST /v2/deployments"), patches()]).to.deep.equal(requests);
      await expectDone(stack.up());
      expect((await stack.preview()).changes).to.deep.equal({ same: 2 });
      expect(patches()).to.equal(requests[1]);
    });
});
