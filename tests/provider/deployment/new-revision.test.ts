import { expect } from "chai";
import { redeploy } from "../../../provider/deployment/service/send-patch";
import { comesAfter, newerThan } from "../../../provider/deployment/service/revision-order";
import { newRevision, responseTo } from "../../../provider/deployment/service/send-patch";
import { Conflict, ConnectionError, type Deployment } from "../../../sdk";
import { aDeployment, aRevision } from "../../support/builders";
import { json, startServer, type TestServer } from "../../support/http";
import { anOperation } from "../../support/operation";
import { rejection } from "../../support/rejection";

const [OLD, LISTED, NEW] = ["old", "listed", "new"];

describe("the revision that a request created", () => {
  let server: TestServer;
  /** What the control plane shows: the newest revisions, and the deployment; nothing of it closes the connection. */
  let shown: { readonly revisions: readonly string[]; readonly latest?: string | null };
  let status: number;
  beforeEach(async () => {
    [shown, status] = [{ revisions: [] }, 200];
    server = await startServer(({ url }, response) => {
      if (status === 0) return response.destroy();
      if (status !== 200) return json(response, status, { detail: "no" });
      if (/revisions(\?|$)/.test(url))
        return json(response, 200, { resources: shown.revisions.map((id) => aRevision({ id })) });
      json(response, 200, shown.latest === undefined ? {} : withLatest(shown.latest));
    });
  });
  afterEach(() => server.close());

  const withLatest = (id: string | null) => aDeployment({ latest_revision_id: id });
  const before = {
    deployment: withLatest(OLD),
    revisions: [OLD, LISTED].map((id) => aRevision({ id })),
  };
  const created = async (deployment?: Deployment) => {
    const response = deployment === undefined ? {} : { deployment };
    return (await newRevision(anOperation(server.url), before, response)).revisionId;
  };

  it("is the deployment's latest where it is a new one, and no look at the list is needed", async () => {
    expect(await created(withLatest(NEW))).to.equal(NEW);
    expect(server.received).to.be.empty;
  });

  it("is the newest of the list where the deployment shows an older one, or none", async () => {
    shown = { revisions: [NEW] };
    for (const latest of [OLD, LISTED, null])
      expect(await created(withLatest(latest))).to.equal(NEW);
  });

  it("is none where everything that is shown was there before", async () => {
    for (const revisions of [[OLD], [LISTED], []]) {
      shown = { revisions };
      expect(await created(withLatest(LISTED))).to.equal(undefined);
    }
  });

  it("is looked for at the deployment and in its list where the response had none", async () => {
    shown = { revisions: [OLD], latest: NEW };
    expect(await created()).to.equal(NEW);
    const path = `/v2/deployments/${aDeployment().id}`;
    expect(server.received.map(({ url }) => url)).to.deep.equal([
      path,
      `${path}/revisions?limit=10`,
    ]);
  });

  it("is that of before where a service deploys it once more without a new one", async () => {
    for (const [latest, followed] of [
      [OLD, OLD],
      [null, LISTED],
    ] as const) {
      shown = { revisions: [OLD], latest };
      const { rollout } = await redeploy(anOperation(server.url), before, LISTED);
      expect(rollout).to.deep.equal({ state: "pending", revisionId: followed });
    }
    shown = { revisions: [OLD], latest: NEW };
    const { rollout } = await redeploy(anOperation(server.url), before, LISTED);
    expect(rollout).to.deep.equal({ state: "pending", revisionId: NEW });
  });

  it("may be there where no answer came to a request, and is not where it was refused", async () => {
    const { client } = anOperation(server.url);
    const update = () => client.deployments.update("d", {});
    status = 0;
    expect((await responseTo(update())).lost?.error).to.be.instanceOf(ConnectionError);
    status = 409;
    expect(await rejection(responseTo(update()))).to.be.instanceOf(Conflict);
    [status, shown] = [200, { revisions: [] }];
    expect(await responseTo(update()), "a success without a deployment").to.deep.equal({});
  });

  it("is newer than those behind it in the list, and than none where it is not in it", async () => {
    shown = { revisions: [NEW, OLD] };
    const operation = anOperation(server.url);
    expect(await comesAfter(operation, NEW, OLD)).to.equal(true);
    expect(await comesAfter(operation, OLD, NEW)).to.equal(false);
    expect(await comesAfter(operation, "other", "another")).to.equal(false);
    const { signal } = new AbortController();
    expect(await newerThan(operation, aRevision({ id: OLD }), signal)).to.equal(NEW);
    expect(await newerThan(operation, aRevision({ id: NEW }), signal)).to.equal(undefined);
  });
});
