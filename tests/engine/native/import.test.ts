import { expect } from "chai";
import type { DeploymentArgs } from "pulumi-agentserver";
import { expectDone } from "../../support/run";
import { useStack } from "../../support/engine";
import { NATIVE } from "../../support/front-ends";
import { gitArgs } from "../../support/program";
import { describeLong } from "../../support/tiers";

const SECRET = "value-CANARY-of-a-secret";

describeLong("an import through the native provider", () => {
  const { test, stack } = useStack({ frontEnd: NATIVE });

  it("takes a deployment made by hand into the state as it is, and the next preview is clean", async () => {
    const secrets = [{ name: "MODEL_API_KEY", value: SECRET }];
    const { id, name } = await test.create({ secrets });
    await test.untilRevision(id, "DEPLOYED");
    const declare = (options: { readonly import?: string }) => {
      const args: DeploymentArgs = { ...gitArgs(test), name, secrets: { MODEL_API_KEY: SECRET } };
      stack.program = async ({ Deployment }) => ({
        url: new Deployment("support", args, options).url,
      });
    };
    declare({ import: id });
    const { text, steps } = await expectDone(stack.up());
    expect(steps).to.deep.equal({ support: "import" });
    expect((await stack.deployment()).id).to.equal(id);
    declare({});
    expect((await stack.preview()).changes).to.deep.equal({ same: 2 });
    await expectDone(stack.refresh());
    expect((await stack.preview()).changes).to.deep.equal({ same: 2 });
    for (const shown of [text, await stack.stateFiles()]) expect(shown).not.to.contain(SECRET);
  });
});
