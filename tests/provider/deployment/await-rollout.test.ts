import { expect } from "chai";
import { awaitRollout } from "../../../provider/deployment/rollout/await";
import type { Operation } from "../../../provider/resource/operation";
import { aClock, aDeployment, aRevision } from "../../support/builders";
import { json, startServer, type TestServer } from "../../support/http";
import { GIT_INPUTS } from "../../support/inputs";
import { accepted, aTarget } from "../../support/deployment";
import { anOperation } from "../../support/operation";
import { rejection } from "../../support/rejection";

describe("waiting for what the service has accepted", () => {
  let server: TestServer;
  afterEach(() => server.close());

  /** A control plane; what has no answer in `answers` is never answered. */
  const settling = async (status: string, answers: RegExp, downFor = 0) => {
    let down = downFor;
    server = await startServer(({ url }, response) => {
      if (!answers.test(url)) return;
      if (down-- > 0) return json(response, 503, { detail: "down" });
      if (url.includes("/logs")) return json(response, 200, { logs: [] });
      if (/revisions\//.test(url)) return json(response, 200, aRevision({ status }));
      if (url.includes("/revisions"))
        return json(response, 200, { resources: [aRevision({ status })] });
      return json(response, 200, aDeployment());
    });
    const deployment = aDeployment({ latest_revision_id: null });
    const created = accepted(deployment, downFor > 0 ? null : aRevision().id);
    return awaitRollout(anOperation(server.url), aTarget(GIT_INPUTS), created);
  };

  it("shows the newest line of the stage's log without secrets, and at the end the revision that is ready", async () => {
    const id = aRevision().id;
    const [shown, polls] = [new Array<string>(), Array.from({ length: 12 }, () => "BUILDING")];
    server = await startServer(({ url }, response) => {
      if (url.includes("/logs"))
        return json(response, 200, { logs: [{ message: "building\n  step 3\n" }] });
      const status = /revisions\//.test(url) ? (polls.shift() ?? "DEPLOYED") : "DEPLOYED";
      if (/revisions\//.test(url)) return json(response, 200, aRevision({ status }));
      if (url.includes("/revisions")) return json(response, 200, { resources: [aRevision()] });
      return json(response, 200, aDeployment({ active_revision_id: id }));
    });
    const target = aTarget({ ...GIT_INPUTS, secrets: { TOKEN: "step 3" } });
    const started = accepted(aDeployment(), id);
    await awaitRollout(anOperation(server.url, shown), target, started);
    expect(shown.slice(0, -1)).to.have.length.above(1);
    for (const line of shown.slice(0, -1)) expect(line).to.equal("BUILDING: [secret]");
    expect(shown.at(-1)).to.equal(`ready: revision ${id}`);
  });

  it("looks for the first revision through passing errors", async () => {
    expect(await settling("DEPLOYED", /./, 12)).to.have.nested.property("rollout.state", "done");
  });

  it("looks for the first revision until the list shows it", async () => {
    let looks = 0;
    const polls = Array.from({ length: 12 }, () => "DEPLOYING");
    server = await startServer(({ url }, response) => {
      if (url.includes("/logs")) return json(response, 200, { logs: [] });
      if (/revisions\//.test(url))
        return json(response, 200, aRevision({ status: polls.shift() ?? "DEPLOYED" }));
      if (!url.includes("/revisions")) return json(response, 200, aDeployment());
      json(response, 200, { resources: (looks += 1) > 2 ? [aRevision()] : [] });
    });
    const target = aTarget({ ...GIT_INPUTS, wait: { until: "deployed" } });
    const started = accepted(aDeployment({ latest_revision_id: null }), null);
    const shown: string[] = [];
    const { rollout } = await awaitRollout(anOperation(server.url, shown), target, started);
    expect(rollout).to.deep.equal({ revisionId: aRevision().id, state: "done" });
    expect(shown.at(-1)).to.equal(`deployed: revision ${aRevision().id}`);
  });

  it("keeps what it waited for where the service answers no more after the end", async () => {
    let ended = false;
    server = await startServer(({ url }, response) => {
      if (ended) return json(response, 403, { detail: "the key has expired" });
      ended = true;
      return json(response, 200, aRevision({ id: /revisions\/([^/?]+)/.exec(url)?.[1] ?? "" }));
    });
    const target = aTarget({ ...GIT_INPUTS, wait: { until: "deployed" } });
    const started = accepted(aDeployment(), aRevision().id);
    const failure = await rejection(awaitRollout(anOperation(server.url), target, started));
    expect(failure.message).to.contain("the key has expired");
    expect(failure).to.have.nested.property("result.rollout.revisionId", aRevision().id);
  });

  it("is over at the end of its time though the deployment does not answer any more", async () => {
    const failure = await rejection(settling("BUILDING", /revisions\//));
    expect(failure.message).to.contain(
      "timed out after 10 min 0 s: deployment 'support': revision",
    );
    expect(failure).to.have.nested.property("result.rollout.state", "pending");
  });

  describe("whose control plane stops to answer", () => {
    /** A wait of two minutes, during which each answer but the first ones is lost. */
    const outage = async (changes: Partial<Operation> = {}) => {
      server = await startServer(({ url }, response, count) => {
        if (count > 3) return response.destroy();
        if (url.includes("/logs")) return json(response, 200, { logs: [] });
        return json(response, 200, aRevision({ status: "CREATING" }));
      });
      const shown: string[] = [];
      const operation = { ...anOperation(server.url, shown), ...changes };
      const target = aTarget({ ...GIT_INPUTS, wait: { timeoutSeconds: 120 } });
      const started = accepted(aDeployment(), aRevision().id);
      const failure = await rejection(awaitRollout(operation, target, started));
      return { failure, shown, lastUrl: server.received.at(-1)?.url };
    };

    it("says so after a few seconds, and at the end what was seen last, and nothing of what serves", async () => {
      const { failure, shown, lastUrl } = await outage();
      expect(shown.join("\n")).to.match(/no connection to http:\S+: .* for \d+ s; still trying/);
      expect(failure.message).to.match(
        /^timed out after 2 min \d+ s: deployment 'support': revision \S+: last seen CREATING 1\d\d s ago, since then no connection to .*\nwhich revision serves could not be read\nrun `pulumi up` again; it waits for the same revision and creates no other$/,
      );
      expect(failure).to.have.nested.property("result.rollout.state", "pending");
      expect(lastUrl, "nothing is asked after the end").to.match(/\/revisions\/[^/]+$/);
    });

    it("is not asked any more once the run is cancelled", async () => {
      const controller = new AbortController();
      const clock = aClock();
      const sleep = clock.sleep;
      const start = clock.time;
      clock.sleep = (milliseconds, signal) => {
        if (clock.time > start + 60_000) controller.abort();
        return sleep(milliseconds, signal);
      };
      const { signal } = controller;
      const { failure, lastUrl } = await outage({ clock, signal });
      expect(failure.message)
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
        server = await startServer(({ url }, response) => {
          const says = url.includes("/revisions") ? revision : deployment;
          if (typeof says === "number") return json(response, says, { detail: "gone" });
          if (!url.includes("/revisions"))
            return json(response, 200, aDeployment({ status: says }));
          const found = aRevision({ status: says });
          json(response, 200, /revisions\//.test(url) ? found : { resources: [found] });
        });
        const target = aTarget({ ...GIT_INPUTS, onFailure: "rollback" });
        const started = accepted(aDeployment(), aRevision().id);
        const failure = await rejection(awaitRollout(anOperation(server.url), target, started));
        expect(failure.message).to.match(expected);
        expect(failure).to.have.nested.property("result.rollout.state", "pending");
        const status = typeof deployment === "number" ? "DELETED" : deployment;
        expect(failure).to.have.nested.property("result.deployment.status", status);
      });
  });
});
