import type { ServerResponse } from "node:http";
import { expect } from "chai";
import type { Props } from "../../../provider/arguments/props";
import { awaitRollout } from "../../../provider/deployment/rollout/await";
import type { Operation } from "../../../provider/resource/operation";
import { aClock, aDeployment, aRevision } from "../../support/builders";
import { useControlPlane } from "../../support/control-plane";
import { accepted, aTarget } from "../../support/deployment";
import { json } from "../../support/http";
import { GIT_INPUTS } from "../../support/inputs";
import { anOperation } from "../../support/operation";
import { declaredBy } from "../../../provider/deployment/declared/declared";
import { rollBack } from "../../../provider/deployment/rollout/rollback";
import type { Context } from "../../../provider/resource/context";
import { RolloutError } from "../../../provider/deployment/service/rollout-result";
import type { Clock } from "../../../shared/clock";
import { useDeployments } from "../../support/deployment-lifecycle";
import { reasonOf } from "../../support/rejection";

const OURS = aRevision().id;
const OLDER = "77777777-7777-4777-8777-777777777777";
const NEWER = "99999999-9999-4999-8999-999999999999";

describe("waiting for what the service has accepted", () => {
  const plane = useControlPlane();

  /** Waits for the revision that is accepted. */
  async function waited(
    script: Parameters<typeof plane.serve>[0],
    declared: Props = {},
    revisionId: string | null = OURS,
    changes: Partial<Operation> = {},
  ) {
    const shown: string[] = [];
    const operation = { ...anOperation(await plane.serve(script), shown), ...changes };
    const deployment = aDeployment(revisionId === null ? { latest_revision_id: null } : {});
    const target = aTarget({ ...GIT_INPUTS, ...declared });
    const outcome = await awaitRollout(operation, target, accepted(deployment, revisionId)).catch(
      (error: unknown) => error,
    );
    return { shown, outcome, message: outcome instanceof Error ? outcome.message : "" };
  }
  /** A revision that goes through a stage. */
  const goingThrough = (stage: string) => {
    const polls = Array.from({ length: 12 }, () => stage);
    return () => polls.shift() ?? "DEPLOYED";
  };

  it("shows the newest line of the stage's log without secrets, and at the end the revision that is ready", async () => {
    const { shown } = await waited(
      { revision: goingThrough("BUILDING"), log: () => ["building\n  step 3\n"] },
      { secrets: { TOKEN: "step 3" } },
    );
    expect(shown.slice(0, -1)).to.have.length.above(1);
    for (const line of shown.slice(0, -1)) expect(line).to.equal("BUILDING: [secret]");
    expect(shown.at(-1)).to.equal(`ready: revision ${OURS}`);
  });

  it("begins after a pause, but for a revision that the service showed active as it accepted it", async () => {
    for (const [active_revision_id, pauses] of [
      [OLDER, 1],
      [OURS, 0],
    ] as const) {
      const clock = aClock();
      const operation = { ...anOperation(await plane.serve({})), clock };
      const deployment = aDeployment({ active_revision_id });
      await awaitRollout(operation, aTarget(GIT_INPUTS), accepted(deployment, OURS));
      expect(clock.pauses).to.have.length(pauses);
    }
  });

  it("says whose URL it is that a smoke check cannot use", async () => {
    const deployment = () => ({ url: "agents.example.com" });
    const { message } = await waited({ deployment }, { smokeCheck: true });
    expect(message).to.contain("agent server: its URL, as the control plane names it, is not a");
  });

  it("ends without the service's words about a stage that is over", async () => {
    const polls = [{ status: "BUILDING", status_message: "step 3" }];
    const { message } = await waited({ revision: () => polls.shift() ?? "BUILD_FAILED" });
    expect(message).to.match(/ended with BUILD_FAILED after \d+ s\n/);
  });

  it("keeps the revision that only the list shows where it waits for none", async () => {
    const { outcome } = await waited({ revisions: () => [{}] }, { wait: { until: "none" } }, null);
    expect(outcome).to.have.deep.property("rollout", { revisionId: OURS, state: "done" });
  });

  it("follows no older revision where a replica does not list the own one, which was skipped, yet", async () => {
    const lists = [[{ id: OLDER }]];
    await waited({
      revisions: () => lists.shift() ?? [{ id: NEWER }, { status: "SKIPPED" }, { id: OLDER }],
      revision: (id) => (id === OURS ? "SKIPPED" : "DEPLOYED"),
    });
    const followed = plane.received().map(({ url }) => url.split("/revisions/")[1]);
    expect(followed).to.include(NEWER).and.not.include(OLDER);
  });

  it("interrupts no revision of another client that it was skipped for, and says that its commit is another", async () => {
    const [own, other] = ["a", "b"].map((digit) => ({ repo_commit_sha: digit.repeat(40) }));
    const theirs = { status: "BUILDING", source_revision_config: other };
    const sourceRevisionConfig = { repoRef: "main", repoCommitSha: own?.repo_commit_sha };
    const { message } = await waited(
      {
        revisions: () => [{ id: NEWER, ...theirs }, { status: "SKIPPED" }],
        revision: (id) => (id === OURS ? "SKIPPED" : theirs),
      },
      { sourceRevisionConfig: { ...GIT_INPUTS.sourceRevisionConfig, ...sourceRevisionConfig } },
    );
    expect(message).to.contain("could not be interrupted: another client created it");
    expect(plane.received().map(({ method }) => method)).not.to.include("POST");
  });

  it("checks only what the own revision or a newer one answers, while an older one still does", async () => {
    for (const [answering, infos] of [
      [OLDER, 3],
      [NEWER, 1],
    ] as const) {
      const hosts = [answering, answering, OURS];
      const asked: string[] = [];
      let url = "";
      const thread = (body: string) => {
        const made = { created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:00:00Z" };
        return { thread_id: "t", status: "idle", ...made, ...(body && JSON.parse(body)) };
      };
      const { outcome } = await waited(
        {
          deployment: () => ({ url }),
          revision: () => "DEPLOYED",
          revisions: () => [{ id: NEWER }, { id: OURS }, { id: OLDER }],
          meddle({ method, url: path, headers, body }, response) {
            url = `http://${headers.host}`;
            const isInfo = path === "/info";
            const isThread = path.startsWith("/threads");
            if (isInfo || isThread) asked.push(isInfo ? "info" : method);
            if (isInfo) json(response, 200, { host: { host_revision_id: hosts.shift() } });
            else if (path.endsWith("/state")) json(response, 200, { values: {}, next: [] });
            else if (isThread) json(response, 200, thread(body));
            return isInfo || isThread;
          },
        },
        { smokeCheck: true },
      );
      expect(outcome).to.have.nested.property("rollout.state", "done");
      expect(asked.filter((one) => one === "info")).to.have.length(infos);
      expect(asked.indexOf("POST")).to.equal(infos);
    }
  });

  it("looks for the first revision through passing errors, until the list shows it", async () => {
    let looks = 0;
    const { shown, outcome } = await waited(
      {
        revision: goingThrough("DEPLOYING"),
        revisions: () => ((looks += 1) > 2 ? [{}] : []),
        meddle(_request, response, count) {
          if (count <= 12) json(response, 503, { detail: "down" });
          return count <= 12;
        },
      },
      { wait: { until: "deployed" } },
      null,
    );
    expect(outcome).to.have.deep.property("rollout", { revisionId: OURS, state: "done" });
    expect(shown.at(-1)).to.equal(`deployed: revision ${OURS}`);
  });

  for (const answered of [OURS, null])
    it(`keeps what it waited for where the service answers no more after the end, or after the list: ${answered}`, async () => {
      const meddle = (_: unknown, response: ServerResponse, count: number) => {
        if (count > 1) json(response, 403, { detail: "the key has expired" });
        return count > 1;
      };
      const declared = { wait: { until: "deployed" } };
      const { outcome, message } = await waited({ meddle }, declared, answered);
      expect(message).to.contain("the key has expired");
      expect(outcome).to.have.nested.property("result.rollout.revisionId", OURS);
    });

  it("is over at the end of its time though the deployment does not answer any more", async () => {
    const { outcome, message } = await waited({
      deployment: () => undefined,
      revisions: () => undefined,
      revision: () => "BUILDING",
    });
    expect(message).to.contain("timed out after 10 min 0 s: deployment 'support': revision");
    expect(outcome).to.have.nested.property("result.rollout.state", "pending");
  });

  it("says that a revision was never visible, and offers more time unless the run is cancelled", async () => {
    const late = await waited({ revision: () => 404 });
    expect(late.message).to.match(/^timed out after .* not visible yet\n[^]* more time$/);
    const { message } = await waited({}, {}, OURS, { signal: AbortSignal.abort() });
    expect(message).to.match(/^cancelled after 0 s: .* is not visible yet\n/);
    expect(message).not.to.contain("more time");
  });

  describe("whose control plane stops to answer", () => {
    /** A wait of two minutes, during which each answer but the first ones is lost. */
    const outage = async (changes: Partial<Operation> = {}) => {
      const script = {
        revision: () => "CREATING",
        meddle: (_request: unknown, response: ServerResponse, count: number) => {
          if (count > 3) response.destroy();
          return count > 3;
        },
      };
      const ended = await waited(script, { wait: { timeoutSeconds: 120 } }, OURS, changes);
      return { ...ended, lastUrl: plane.received().at(-1)?.url };
    };

    it("says so after a few seconds, and at the end what was seen last, and nothing of what serves", async () => {
      const { outcome, message, shown, lastUrl } = await outage();
      expect(shown.join("\n")).to.match(/no connection to http:\S+: .* for \d+ s; still trying/);
      expect(message).to.match(
        /^timed out after 2 min \d+ s: deployment 'support': revision \S+: last seen CREATING 1\d\d s ago, since then no connection to .*\nwhich revision serves could not be read\nrun `pulumi up` again; it waits for the same revision and creates no other$/,
      );
      expect(outcome).to.have.nested.property("result.rollout.state", "pending");
      expect(lastUrl, "nothing is asked after the end").to.match(/\/revisions\/[^/]+$/);
    });

    it("is not asked any more once the run is cancelled", async () => {
      const controller = new AbortController();
      const clock = aClock();
      const { sleep, time: start } = clock;
      clock.sleep = (milliseconds, signal) => {
        if (clock.time > start + 60_000) controller.abort();
        return sleep(milliseconds, signal);
      };
      const { message, lastUrl } = await outage({ clock, signal: controller.signal });
      expect(message)
        .to.match(
          /^cancelled after \d+ s: .*: last seen CREATING \d+ s ago, since then no connection/,
        )
        .and.contain("which revision serves could not be read");
      expect(lastUrl).to.match(/\/revisions\/[^/]+$/);
    });
  });

  describe("for a deployment that another client deletes meanwhile", () => {
    const GONE = /^deployment 'support': [\da-f-]{36} no longer exists\nrun `pulumi refresh`, then/;
    const LEAVING =
      /^deployment 'support': [\da-f-]{36} is being deleted on the control plane\nonce it is gone, run `pulumi refresh`, then `pulumi up` to recreate it$/;
    for (const [title, revision, deployment, expected] of [
      ["interrupts its revision", "INTERRUPTED", "AWAITING_DELETE", LEAVING],
      ["fails its revision", "DEPLOY_FAILED", "AWAITING_FINAL_DELETE", LEAVING],
      ["is through", "DEPLOYED", "DELETED", GONE],
      ["leaves a 404", 404, 404, GONE],
      ["leaves a 410", 410, 410, GONE],
      ["leaves its revision alone", "INTERRUPTED", 404, GONE],
    ] as const)
      it(`says so where that ${title}, and rolls nothing back`, async () => {
        const script = {
          deployment: () => deployment,
          revision: () => revision,
          revisions: () => (typeof revision === "number" ? revision : [{ status: revision }]),
        };
        const { outcome, message } = await waited(script, { onFailure: "rollback" });
        expect(message).to.match(expected);
        expect(outcome).to.have.nested.property("result.rollout.state", "pending");
        const status = typeof deployment === "number" ? "DELETED" : deployment;
        expect(outcome).to.have.nested.property("result.deployment.status", status);
      });
  });
});

const NOWHERE = "http://127.0.0.1:9";
const STAGE_SECONDS = 3_600;

describe("what ends a wait before its time", () => {
  describe("of a deployment whose roll-out does not end", () => {
    const stack = useDeployments({ stageSeconds: STAGE_SECONDS });

    async function created(timeoutSeconds: number | undefined, optionSeconds: number) {
      const clock = aClock();
      const deadline = clock.now() + optionSeconds * 1000;
      const where: Context = { ...stack.context(), canImport: true, clock, deadline };
      const declared = stack.git("main", { name: "support", wait: { timeoutSeconds } });
      return await reasonOf(stack.create(declared, where));
    }

    for (const [what, own, option, spent, more, other] of [
      ["the option customTimeouts", 600, 30, 30, "option `customTimeouts`", "wait.timeoutSeconds"],
      ["wait.timeoutSeconds", 20, 600, 20, "`wait.timeoutSeconds`", "customTimeouts"],
      ["customTimeouts", undefined, 3600, "60 min 0", "`customTimeouts`", "wait.timeoutSeconds"],
    ] as const)
      it(`is ${what} of ${option} s where that is the shorter one, whatever the setting is`, async () =>
        expect(await created(own, option))
          .to.match(
            new RegExp(
              `^timed out after ${spent} s: deployment 'support': revision \\S+ is still CREATING\n +none of its revisions serves\n.*waits for the same revision and creates no other`,
            ),
          )
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
      expect((await stack.update(failed, tagged("v2"), where())).outs).to.include({ ready: true });
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
    const expected = ["it failed", "nothing was rolled back: the run was cancelled"];
    expect((await rollBack(operation, target, failure)).lines).to.deep.equal(expected);
  });
});
