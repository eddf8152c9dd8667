import { expect } from "chai";
import { known } from "../../../provider/arguments/decode";
import { declaredBy } from "../../../provider/deployment/declared/declared";
import { rollBack } from "../../../provider/deployment/rollout/rollback";
import { smokeCheckFailure } from "../../../provider/deployment/rollout/smoke-check";
import type { Context } from "../../../provider/resource/context";
import { RolloutError } from "../../../provider/deployment/service/rollout-result";
import type { Clock } from "../../../shared/clock";
import { aClock, aDeployment } from "../../support/builders";
import { useDeployments } from "../../support/deployment-lifecycle";
import { anOperation } from "../../support/operation";
import { rejection } from "../../support/rejection";

const NOWHERE = "http://127.0.0.1:9";
const STAGE_SECONDS = 3_600;

describe("what ends a wait before its time", () => {
  describe("of a deployment whose roll-out does not end", () => {
    const stack = useDeployments({ stageSeconds: STAGE_SECONDS });

    async function created(timeoutSeconds: number, optionSeconds: number) {
      const clock = aClock();
      const deadline = clock.now() + optionSeconds * 1000;
      const where: Context = { ...stack.context(), canImport: true, clock, deadline };
      const declared = stack.git("main", { name: "support", wait: { timeoutSeconds } });
      return (await rejection(stack.create(declared, where))).message;
    }

    for (const [what, own, option, spent, more, other] of [
      ["the option customTimeouts", 600, 30, 30, "option `customTimeouts`", "wait.timeoutSeconds"],
      ["wait.timeoutSeconds", 20, 600, 20, "`wait.timeoutSeconds`", "customTimeouts"],
    ] as const)
      it(`is ${what} where that is the shorter one`, async () =>
        expect(await created(own, option))
          .to.match(new RegExp(`^timed out after ${spent} s: deployment 'support'`))
          .and.contain(`${more} gives it more time`)
          .and.not.contain(other));

    it("is a cancelled run in the midst of a rollback, which keeps what failed and lets the next update go on", async () => {
      const controller = new AbortController();
      const { signal } = controller;
      const { said } = stack;
      const time = aClock();
      const clock: Clock = {
        now: time.now,
        random: time.random,
        async sleep(milliseconds, ended) {
          if (said.some((text) => text.includes("puts the old values back"))) controller.abort();
          await time.sleep(milliseconds, ended);
          await stack.admin.advanceClock(STAGE_SECONDS);
        },
      };
      const where = (): Context => ({ ...stack.context(), canImport: true, clock });
      const tagged = (tag: string) => stack.git(`refs/tags/${tag}`, { onFailure: "rollback" });
      const made = await stack.create(tagged("v1"), where());
      stack.fails("DEPLOY_FAILED");
      const update = stack.update(made, tagged("v2"), { ...where(), signal });
      const { message, ...failed } = await stack.failed(update);
      const { latest_revision_id: back, source_revision_config: source } = await stack.get(made.id);
      expect(source.repo_ref).to.equal("refs/tags/v1");
      expect(message)
        .to.contain("ended with DEPLOY_FAILED")
        .and.contain("the rollback was cut short, and goes on at the control plane: cancelled")
        .and.contain("run `pulumi up` again; it tries the new values once more")
        .and.not.contain("it waits for the same revision");
      expect(failed.outs).to.deep.include({ rollout: { revisionId: back, state: "pending" } });

      said.length = 0;
      const next = await stack.update(failed, tagged("v2"), where());
      expect(next.outs).to.include({ ready: true });
      expect((await stack.get(made.id)).source_revision_config.repo_ref).to.equal("refs/tags/v2");
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

  it("is of a smoke check whose agent server does not respond the shorter one of its own time and the option customTimeouts", async () => {
    const smokeCheck = known(declaredBy({ smokeCheck: { timeoutSeconds: 40 } }).smokeCheck);
    if (smokeCheck === undefined) throw new Error("no smoke check is declared");
    for (const [seconds, problem, nextStep] of [
      [10, /, for 10 s$/, /the option `customTimeouts` gives it more time$/],
      [300, /, for 40 s$/, /`smokeCheck.timeoutSeconds` gives it more time$/],
    ] as const) {
      const clock = aClock();
      const operation = { ...anOperation(NOWHERE), clock, deadline: clock.now() + seconds * 1000 };
      const failure = await smokeCheckFailure(operation, smokeCheck, NOWHERE);
      expect(failure?.problem).to.match(problem);
      expect(failure?.nextStep).to.match(nextStep);
    }
  });
});
