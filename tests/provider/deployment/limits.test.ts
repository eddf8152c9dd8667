import { expect } from "chai";
import { known } from "../../../provider/arguments/decode";
import { declaredBy } from "../../../provider/deployment/declared/declared";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import { rollBack } from "../../../provider/deployment/rollout/rollback";
import { smokeCheckFailure } from "../../../provider/deployment/rollout/smoke-check";
import type { Context } from "../../../provider/resource/context";
import { RolloutError } from "../../../provider/deployment/service/rollout-result";
import type { Clock } from "../../../shared/clock";
import { aClock, aDeployment } from "../../support/builders";
import { contextOf } from "../../support/lifecycle";
import { anOperation } from "../../support/operation";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { gitArgs } from "../../support/program";
import { initializationFailure, rejection } from "../../support/rejection";

const NOWHERE = "http://127.0.0.1:9";
const STAGE_SECONDS = 3_600;

function cancellation() {
  const controller = new AbortController();
  return { signal: controller.signal, cancel: () => controller.abort() };
}

describe("what ends a wait before its time", () => {
  describe("of a deployment whose roll-out does not end", () => {
    let test: TestPlatform;
    beforeEach(async () => {
      test = await startTestPlatform({ stageSeconds: STAGE_SECONDS });
    });
    afterEach(() => test.close());

    async function created(timeoutSeconds: number, optionSeconds: number) {
      const clock = aClock();
      const deadline = clock.now() + optionSeconds * 1000;
      const context: Context = { ...contextOf(test.platform), canImport: true, clock, deadline };
      const declared = { ...gitArgs(test), name: "support", wait: { timeoutSeconds } };
      const { inputs = {} } = await lifecycle.check({}, declared, context);
      return (await rejection(lifecycle.create(inputs, context))).message;
    }

    it("is the option customTimeouts where it is shorter than wait.timeoutSeconds", async () =>
      expect(await created(600, 30))
        .to.match(/^timed out after 30 s: deployment 'support'/)
        .and.contain("the option `customTimeouts` gives it more time")
        .and.not.contain("wait.timeoutSeconds"));

    it("is wait.timeoutSeconds where that is shorter than the option", async () =>
      expect(await created(20, 600))
        .to.match(/^timed out after 20 s: deployment 'support'/)
        .and.contain("`wait.timeoutSeconds` gives it more time")
        .and.not.contain("customTimeouts"));

    it("is a cancelled run in the midst of a rollback, which keeps what failed and lets the next update go on", async () => {
      const { signal, cancel } = cancellation();
      const said: string[] = [];
      const time = aClock();
      const clock: Clock = {
        now: time.now,
        random: time.random,
        async sleep(milliseconds, ended) {
          if (said.some((text) => text.includes("puts the old values back"))) cancel();
          await time.sleep(milliseconds, ended);
          await test.platform.admin.advanceClock(STAGE_SECONDS);
        },
      };
      const context: Context = { ...contextOf(test.platform, said), canImport: true, clock };
      const checked = async (tag: string) => {
        const repoRef = `refs/tags/${tag}`;
        const sourceRevisionConfig = { repoRef, graphConfigPath: "langgraph.json" };
        const declared = { ...gitArgs(test), onFailure: "rollback", sourceRevisionConfig };
        return (await lifecycle.check({}, declared, context)).inputs ?? {};
      };
      const { id, outs } = await lifecycle.create(await checked("v1"), context);
      test.platform.admin.addOutcome({ stage: "deploy", status: "DEPLOY_FAILED" });
      const second = await checked("v2");
      const { message, properties } = await initializationFailure(
        lifecycle.update(id, outs, second, { ...context, signal }),
      );
      const { latest_revision_id: back, source_revision_config: source } = await test.get(id);
      expect(source.repo_ref).to.equal("refs/tags/v1");
      expect(message)
        .to.contain("ended with DEPLOY_FAILED")
        .and.contain("the rollback was cut short, and goes on at the control plane: cancelled")
        .and.contain("run `pulumi up` again; it tries the new values once more")
        .and.not.contain("it waits for the same revision");
      expect(properties).to.deep.include({ rollout: { revisionId: back, state: "pending" } });

      said.length = 0;
      const next = await lifecycle.update(id, properties, second, context);
      expect(next.outs).to.include({ ready: true });
      expect((await test.get(id)).source_revision_config.repo_ref).to.equal("refs/tags/v2");
    });
  });

  it("is a cancelled run before a rollback is requested, which then sends nothing", async () => {
    const source = (repoRef: string) =>
      declaredBy({ source: "git_host", sourceRevisionConfig: { repoRef } });
    const rollout = { revisionId: null, state: "failed" } as const;
    const result = { deployment: aDeployment(), revisions: [], rollout };
    const failure = new RolloutError(result, ["it failed"]);
    const lastGood = { revision: null, declared: source("refs/tags/v1") };
    const operation = { ...anOperation(NOWHERE), signal: AbortSignal.abort() };
    const target = { declared: source("refs/tags/v2"), lastGood };
    expect((await rollBack(operation, target, failure)).lines).to.deep.equal([
      "it failed",
      "nothing was rolled back: the run was cancelled",
    ]);
  });

  describe("of a smoke check whose agent server does not respond", () => {
    const check = (changes: Partial<Context>) => {
      const smokeCheck = known(declaredBy({ smokeCheck: { timeoutSeconds: 40 } }).smokeCheck);
      if (smokeCheck === undefined) throw new Error("no smoke check is declared");
      return smokeCheckFailure(
        { ...anOperation(NOWHERE), ...changes, settings },
        smokeCheck,
        NOWHERE,
      );
    };
    const { settings } = anOperation(NOWHERE);
    const within = (seconds: number) => {
      const clock = aClock();
      return check({ clock, deadline: clock.now() + seconds * 1000 });
    };

    it("is the shorter one of its own time and the option customTimeouts", async () => {
      const [option, own] = [await within(10), await within(300)];
      expect(option?.problem).to.match(/, for 10 s$/);
      expect(option?.nextStep).to.match(/the option `customTimeouts` gives it more time$/);
      expect(own?.problem).to.match(/, for 40 s$/);
      expect(own?.nextStep).to.match(/`smokeCheck.timeoutSeconds` gives it more time$/);
    });
  });
});
