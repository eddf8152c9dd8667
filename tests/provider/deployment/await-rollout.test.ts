import { expect } from "chai";
import { awaitRollout } from "../../../provider/deployment/rollout/await";
import { aDeployment, aRevision } from "../../support/builders";
import { json, startServer, type TestServer } from "../../support/http";
import { GIT_INPUTS } from "../../support/inputs";
import { aTarget } from "../../support/deployment";
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
    const accepted = {
      deployment: aDeployment({ latest_revision_id: null }),
      revisionId: downFor > 0 ? null : aRevision().id,
    };
    return awaitRollout(anOperation(server.url), aTarget(GIT_INPUTS), accepted);
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
    const accepted = { deployment: aDeployment(), revisionId: id };
    await awaitRollout(anOperation(server.url, shown), target, accepted);
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
    const accepted = { deployment: aDeployment({ latest_revision_id: null }), revisionId: null };
    const shown: string[] = [];
    const { rollout } = await awaitRollout(anOperation(server.url, shown), target, accepted);
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
    const accepted = { deployment: aDeployment(), revisionId: aRevision().id };
    const failure = await rejection(awaitRollout(anOperation(server.url), target, accepted));
    expect(failure.message).to.contain("the key has expired");
    expect(failure).to.have.nested.property("reached.rollout.revisionId", aRevision().id);
  });

  it("is over at the end of its time though the deployment does not answer any more", async () => {
    const failure = await rejection(settling("BUILDING", /revisions\//));
    expect(failure.message).to.contain(
      "timed out after 10 min 0 s: deployment 'support': revision",
    );
    expect(failure).to.have.nested.property("reached.rollout.state", "pending");
  });
});
