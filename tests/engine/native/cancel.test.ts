import { expect } from "chai";
import { until } from "../../local/children";
import { CliStack } from "../../support/cli";
import { NATIVE } from "../../support/front-ends";
import { useFreshPlatform } from "../../support/platform";
import { gitArgs } from "../../support/program";
import { describeLong } from "../../support/tiers";

/** Longer than the test: nothing gets on until the clock is moved. */
const STAGE_SECONDS = 600;
const UP = ["up", "--yes", "--skip-preview"];

describeLong(
  "a run through the native provider that is cancelled, killed or has no time left",
  () => {
    const test = useFreshPlatform({ stageSeconds: STAGE_SECONDS });
    let stack: CliStack;

    const requests = (request: string) => test.platform.admin.requests()[request] ?? 0;
    const posts = () => requests("POST /v2/deployments");
    const declare = (more: object = {}) =>
      stack.declare({ support: { ...gitArgs(test), ...more } });
    const finishRevisions = () => test.platform.admin.advanceClock(3 * STAGE_SECONDS);
    const only = async () => {
      const [deployment] = await stack.deployments();
      if (deployment === undefined) throw new Error("the state holds no deployment");
      return deployment;
    };

    beforeEach(async () => {
      stack = await CliStack.create(test.platform, NATIVE);
      await declare();
    });
    afterEach(() => stack.remove());

    it("ends the wait of a create at Ctrl-C, keeps id and reasons, and goes on at the next up", async () => {
      const running = stack.start(...UP);
      await until("the wait", () => running.text().includes("CREATING"));
      running.interrupt();
      const { code, text } = await running.finished;
      expect(code).not.to.equal(0);
      expect(text)
        .to.match(
          /cancelled after \d+ s: deployment 'support-test-[0-9a-f]{7}': revision [0-9a-f-]{36} is still/,
        )
        .and.contain("run `pulumi up` again; it waits for the same revision and creates no other");
      const { id, outputs, initErrors } = await only();
      expect(outputs).to.include({ ready: false, tenantId: test.platform.workspaceId });
      expect(outputs).to.have.nested.property("rollout.state", "pending");
      expect(initErrors).to.have.length(1);
      await finishRevisions();
      const next = await stack.run(...UP);
      expect(next.code, next.text).to.equal(0);
      expect(await only())
        .to.include({ id })
        .and.have.nested.property("outputs.ready", true);
      expect(posts()).to.equal(1);
      expect(requests("PATCH /v2/deployments/{deployment_id}")).to.equal(0);
    });
  },
);
