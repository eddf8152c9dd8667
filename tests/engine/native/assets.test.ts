import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { asset, CustomResource } from "@pulumi/pulumi";
import { expect } from "chai";
import { expectDone } from "../../support/run";
import { NATIVE } from "../../support/front-ends";
import { type TestStack, useStack } from "../../support/engine";
import type { TestPlatform } from "../../support/platform";
import { gitArgs } from "../../support/program";
import { describeLong } from "../../support/tiers";

/** A resource as a program in another language registers it. */
class Foreign extends CustomResource {}

describeLong("assets in redeployOn through the native provider", () => {
  let test: TestPlatform;
  let stack: TestStack;
  let path = "";

  useStack({ frontEnd: NATIVE }, (made) => {
    ({ test, stack } = made);
    path = join(test.dataDir, "prompt.txt");
    stack.program = async ({ Deployment }) => {
      new Deployment("ours", { ...gitArgs(test), redeployOn: new asset.FileAsset(path) });
      for (const [name, redeployOn] of [
        ["asset", new asset.FileAsset(path)],
        ["archive", { of: new asset.AssetArchive({ prompt: new asset.FileAsset(path) }) }],
      ] as const)
        new Foreign(`${NATIVE.types}Deployment`, name, { ...gitArgs(test), redeployOn });
    };
  });

  it("count by their content, of the class and of a program in another language", async () => {
    const steps = async (content: string) => {
      await writeFile(path, content);
      const { steps: done } = await expectDone(stack.up());
      return done;
    };
    const every = (step: string) => ({ ours: step, asset: step, archive: step });
    expect(await steps("Be kind.")).to.deep.equal(every("create"));
    expect(await steps("Be kind.")).to.deep.equal(every("same"));
    expect(await steps("Be brief.")).to.deep.equal(every("update"));
    for (const { id } of await test.deployments())
      expect(await test.revisions(id)).to.have.length(2);
  });
});
