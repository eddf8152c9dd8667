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

  it("looks for the first revision through passing errors", async () => {
    expect(await settling("DEPLOYED", /./, 12)).to.have.nested.property("rollout.state", "done");
  });

  it("is over at the end of its time though the deployment does not answer any more", async () => {
    const failure = await rejection(settling("BUILDING", /revisions\//));
    expect(failure.message).to.contain(
      "timed out after 10 min 0 s: deployment 'support': revision",
    );
    expect(failure).to.have.nested.property("reached.rollout.state", "pending");
  });
});
