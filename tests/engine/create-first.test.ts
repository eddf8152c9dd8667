import { expect } from "chai";
import { describeFrontEnds, DYNAMIC, lossThrough, itOnlyOn } from "../support/front-ends";
import { settingsFor, TestStack } from "../support/engine";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { gitArgs, programOf } from "../support/program";

describeFrontEnds(
  "deleteBeforeReplace: false on the real engine",
  (frontEnd) => {
    let test: TestPlatform;
    let stack: TestStack;

    const declare = (repository: string) => {
      const { sourceConfig, ...args } = gitArgs(test);
      const repoUrl = `https://git.example.com/acme/${repository}.git`;
      const common = { ...args, sourceConfig: { ...sourceConfig, repoUrl } };
      const options = { deleteBeforeReplace: false };
      stack.program = programOf({
        derived: { args: common, options },
        adopting: { args: { ...common, name: repository, adoptExisting: true }, options },
      });
    };
    const live = async () => (await test.deployments()).map(({ id }) => id);
    const inState = async () => (await stack.deployments()).map(({ id }) => id);

    before(async () => {
      test = await startTestPlatform();
      stack = await TestStack.create(settingsFor(test.platform), async () => undefined, frontEnd);
      declare("support");
      await stack.up();
    });
    after(async () => {
      await stack.remove();
      await test.close();
    });

    it("creates the new deployment while the old one serves, and leaves only the new one", async () => {
      const before = await inState();
      declare("moved");
      const { messages } = await stack.preview();
      const { ok, text } = await stack.up();
      expect(ok, text).to.equal(true);
      expect(messages.join()).to.contain(
        `since repoUrl can't be changed: ${lossThrough(frontEnd, "last")}`,
      );
      expect(text.indexOf("created replacement")).to.be.lessThan(text.indexOf("deleting original"));
      expect(await live()).to.have.members(await inState());
      expect(await live()).not.to.include.oneOf(before);
    });

    itOnlyOn(DYNAMIC, frontEnd)(
      "adopts nothing that is deleted afterwards: a forced replacement is refused",
      async () => {
        const before = await inState();
        const { ok, text } = await stack.up({
          replace: [stack.urn("derived"), stack.urn("adopting")],
        });
        expect(ok).to.equal(false);
        expect(text).to.contain(
          "remove the option deleteBeforeReplace: false; else choose another name",
        );
        expect(await inState()).to.have.members(before);
        expect(await live()).to.have.members(before);
      },
    );
  },
  { dynamic: "nightly", native: "nightly" },
);
