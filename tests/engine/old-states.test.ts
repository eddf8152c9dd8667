import { expect } from "chai";
import type { DeploymentArgs } from "pulumi-agentserver";
import { everyImageArgument } from "../support/every-field";
import { settingsFor, TestStack } from "../support/engine";
import { asWritten, expectKeptForm, releasesOf, type Words } from "../support/old-states";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { gitArgs, supportProgram } from "../support/program";

/** What is in the states: a fixture each. */
const SHAPES: Readonly<Record<string, (test: TestPlatform) => DeploymentArgs>> = {
  git: (test) => ({
    ...gitArgs(test),
    env: { LOG_LEVEL: "info" },
    secrets: { MODEL_API_KEY: "a secret of a test" },
    wait: { timeoutSeconds: 60 },
    redeployOn: "first",
  }),
  image: everyImageArgument,
};

for (const [shape, argsOf] of Object.entries(SHAPES))
  describe(`states of a deployment (${shape}) in users' hands, on the real engine`, () => {
    let test: TestPlatform;
    let stack: TestStack;

    const particulars = async (): Promise<Words> => {
      const { id } = await stack.deployment();
      const live = await test.get(id);
      return [
        ["<id>", id],
        ["<name>", live.name],
        ["<revision>", live.latest_revision_id ?? ""],
        ["<workspace>", live.tenant_id],
        ["<integration>", test.integrationId],
        ["<listener>", test.listenerId],
        ["<base url>", test.platform.url],
        ["<time>", live.created_at],
      ];
    };

    beforeEach(async () => {
      test = await startTestPlatform();
      stack = await TestStack.create(settingsFor(test.platform), supportProgram(argsOf(test)));
      const { ok, text } = await stack.up();
      expect(ok, text).to.equal(true);
    });
    afterEach(async () => {
      await stack.remove();
      await test.close();
    });

    it("have the form that is kept as a fixture of this release: another form needs a new release", async () =>
      expectKeptForm(shape, await stack.resources(), await particulars()));

    for (const release of releasesOf(shape))
      it(`written by ${release} are refreshed without a change, updated in place and destroyed`, async () => {
        const { id } = await stack.deployment();
        await stack.rewrite(asWritten(release, shape, await particulars()));
        expect((await stack.refresh()).changes).to.deep.equal({ same: 2 });
        expect((await stack.preview()).changes).to.deep.equal({ same: 2 });
        stack.program = supportProgram({ ...argsOf(test), env: { LOG_LEVEL: "debug" } });
        expect((await stack.up()).steps).to.deep.equal({ support: "update" });
        expect((await stack.deployment()).id).to.equal(id);
        expect((await stack.destroy()).ok).to.equal(true);
        expect((await test.request("GET", `/v2/deployments/${id}`)).status).to.equal(404);
      });
  });
